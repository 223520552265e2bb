package io.parley.control.explain;

import static io.parley.control.testing.Worlds.dataplane;
import static io.parley.control.testing.Worlds.model;
import static io.parley.control.testing.Worlds.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.control.model.Model;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplainerTest {
    private static final String SHOP = dataplane("web-1", "10.0.0.1", "web:http") + """
          outbound:
            - {port: 9001, tags: {kuma.io/service: orders}}
        """.indent(0) + """
        ---
        type: Mesh
        name: default
        mtls: {enabledBackend: ca, backends: [{name: ca, type: builtin}]}
        ---
        type: Dataplane
        mesh: default
        name: orders-1
        networking:
          address: 10.0.0.2
          inbound: [{port: 9306, tags: {kuma.io/service: orders}}]
        ---
        type: Dataplane
        mesh: default
        name: orders-2
        networking:
          address: 10.0.0.3
          inbound: [{port: 9306, tags: {kuma.io/service: orders}}]
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: orders-2, namespace: shop, annotations: {config.linkerd.io/opaque-ports: "9306"}}
        spec: {containers: []}
        status: {podIP: 10.0.0.3}
        ---
        type: MeshTimeout
        mesh: default
        name: timeout-global
        labels: {kuma.io/origin: global}
        spec: {to: [{targetRef: {kind: Mesh}, default: {connectionTimeout: 2s, idleTimeout: 20s}}]}
        ---
        type: MeshTimeout
        mesh: default
        name: timeout-zone
        labels: {kuma.io/origin: zone}
        spec: {to: [{targetRef: {kind: Mesh}, default: {idleTimeout: 10s}}]}
        ---
        type: MeshTrafficPermission
        mesh: default
        name: web-may
        spec:
          targetRef: {kind: MeshService, name: orders}
          from: [{targetRef: {kind: MeshService, name: web}, default: {action: Allow}}]
        ---
        type: Timeout
        mesh: default
        name: old
        sources: [{match: {kuma.io/service: "*"}}]
        destinations: [{match: {kuma.io/service: "*"}}]
        conf: {connectTimeout: 1s}
        """;

    private final Explainer explainer = new Explainer(() -> model(SHOP), Observations.NONE);

    private static Step step(Explanation explanation, String about) {
        return explanation.steps().stream()
                .filter(step -> step.about().equals(about))
                .findFirst()
                .orElseThrow(() -> new AssertionError(about + " is not among " + explanation.steps()));
    }

    @Test
    void tellsTheWholeChainBehindAConnection() {
        Explanation explanation = explainer.connection("default", "web", "orders:9306");
        assertThat(step(explanation, "from").value()).isEqualTo("Dataplane/web-1");
        assertThat(step(explanation, "to").value()).isEqualTo("service orders");
        Step protocol = step(explanation, "protocol");
        assertThat(protocol.value()).isEqualTo("opaque");
        assertThat(protocol.because())
                .isEqualTo("port 9306 is declared opaque by annotation on pod/orders-2, union over endpoints: 1 of 2");
        assertThat(protocol.field()).isEqualTo("metadata.annotations[\"config.linkerd.io/opaque-ports\"]");
        assertThat(step(explanation, "hint for dataplane/orders-1:9306").value())
                .isEqualTo("detect");
        assertThat(step(explanation, "endpoints").value()).isEqualTo("2 of 2 healthy");
        assertThat(step(explanation, "encryption").value()).isEqualTo("mutual TLS");
        assertThat(step(explanation, "permission").value()).isEqualTo("ALLOW");
        assertThat(step(explanation, "permission").resource()).isEqualTo("MeshTrafficPermission/web-may");
        assertThat(step(explanation, "MeshTimeout idleTimeout to orders").because())
                .isEqualTo("from zone policy timeout-zone over timeout-global (20s): zone beats global at equal kind");
    }

    @Test
    void findsWhatTheWorkloadDials() {
        Step to = step(explainer.connection("default", "web-1", "127.0.0.1:9001"), "to");
        assertThat(to.value()).isEqualTo("service orders");
        assertThat(to.field()).isEqualTo("networking.outbound[0]");
    }

    @Test
    void saysThatNobodyMayCallWhoIsNotPermitted() {
        assertThat(step(explainer.connection("default", "orders", "web"), "permission")
                        .because())
                .isEqualTo("no permission names spiffe://default/orders");
    }

    @Test
    void namesTheNewKindOfAnOldPolicy() {
        assertThat(step(explainer.policy("default", "web-1", "orders"), "not applied")
                        .because())
                .isEqualTo("stored, not applied: write a MeshTimeout instead");
        assertThat(step(explainer.policy("default", "web-1", "orders"), "MeshTimeout connectionTimeout to orders")
                        .value())
                .isEqualTo("2s");
    }

    @Test
    void tellsWhatProxiesLearnedWhereNothingIsDeclaredAndWhatCouldNotBeDone() {
        String yaml = dataplane("web-1", "10.0.0.1", "web:http") + dataplane("mail-1", "10.0.0.2", "mail");
        Observations seen = new Observations() {
            @Override
            public List<Observed> reported(String mesh, String dataplane) {
                return dataplane.equals("web-1")
                        ? List.of(new Observed("mail", "opaque", "its server spoke first", "server-spoke-first"))
                        : List.of(new Observed("port 8080", "opaque", "its server spoke first too", "the same"));
            }

            @Override
            public List<String> problems(String mesh, String dataplane) {
                return dataplane.equals("web-1") ? List.of("MeshProxyPatch/x changes nothing") : List.of();
            }
        };
        Explanation explanation = new Explainer(() -> model(yaml), seen).connection("default", "web", "mail");
        assertThat(step(explanation, "protocol").value()).isEqualTo("detect");
        assertThat(step(explanation, "learned by web-1").because()).isEqualTo("its server spoke first");
        assertThat(step(explanation, "learned by web-1").resource()).isEqualTo("DataplaneInsight/web-1");
        assertThat(step(explanation, "learned by mail-1").because()).isEqualTo("its server spoke first too");
        assertThat(step(explanation, Explainer.NOT_DONE).because()).isEqualTo("MeshProxyPatch/x changes nothing");
    }

    @Test
    void saysWhatOurOwnProxiesDoNotApply() {
        String yaml = SHOP + """
            ---
            type: MeshTimeout
            mesh: default
            name: long
            spec: {to: [{targetRef: {kind: Mesh}, default: {http: {maxStreamDuration: 5s, requestTimeout: 3s}}}]}
            """;
        Explanation explanation =
                new Explainer(() -> model(yaml), Observations.NONE).policy("default", "web-1", "orders");
        assertThat(step(explanation, "MeshTimeout http.maxStreamDuration to orders")
                        .value())
                .isEqualTo("5s (not applied by our own proxies)");
        assertThat(step(explanation, "MeshTimeout http.requestTimeout to orders")
                        .value())
                .isEqualTo("3s");
    }

    @Test
    void saysWhatIsExpectedInThePlaceOfAnUnknownName() {
        assertThatThrownBy(() -> explainer.connection("default", "web", "nowhere"))
                .isInstanceOf(UnknownName.class)
                .hasMessageContaining("to: nowhere (expected: a service of mesh default");
        assertThatThrownBy(() -> explainer.connection("other", "web", "orders")).isInstanceOf(UnknownName.class);
    }

    @Test
    void refusesAPortThatTheServiceDoesNotHave() {
        assertThatThrownBy(() -> explainer.connection("default", "web", "orders:12345"))
                .isInstanceOf(UnknownName.class)
                .hasMessage("to: orders:12345 (expected: orders, which has port 9306)");
        assertThat(step(explainer.connection("default", "web", "orders:9001"), "to")
                        .value())
                .isEqualTo("service orders");
    }

    @Test
    void namesTheParameterThatIsWrong() {
        assertThatThrownBy(() -> explainer.policy("default", "nobody", null))
                .hasMessageStartingWith("dataplane: nobody (expected: ");
        assertThatThrownBy(() -> explainer.connection("default", "nobody", "web"))
                .hasMessageStartingWith("from: nobody (expected: ");
    }

    private static final String ELSEWHERE = """
        ---
        type: ZoneIngress
        name: west-in
        zone: west
        networking: {address: 10.9.0.1, port: 10001}
        availableServices: [{mesh: default, instances: 2, tags: {kuma.io/service: stock}}]
        """;

    private static Explainer inZone(String zone, String yaml) {
        Model model = Model.empty(zone).after(written(yaml)).model();
        return new Explainer(() -> model, Observations.NONE);
    }

    @Test
    void tellsWhereThePermissionToAServiceOfAnotherZoneIsDecidedAndTheWayThere() {
        Explanation explanation = inZone("east", SHOP + ELSEWHERE).connection("default", "web", "stock");
        assertThat(step(explanation, "permission").value()).isEqualTo("decided in west");
        assertThat(step(explanation, "permission").because()).contains("global control plane");
        assertThat(step(explanation, "encryption").because())
                .isEqualTo("authority ca is in use; to the proxies in west through its ingress, which passes on what"
                        + " it cannot read");
    }

    @Test
    void tellsBothSidesOfAServiceOfSeveralZones() {
        String yaml = SHOP + ELSEWHERE + dataplane("stock-1", "10.0.0.4", "stock");
        Explanation explanation = inZone("east", yaml).connection("default", "web", "stock");
        assertThat(explanation.steps().stream()
                        .filter(step -> step.about().equals("permission"))
                        .map(Step::value))
                .containsExactly("DENY", "decided in west");
        assertThat(step(explanation, "encryption").because())
                .contains("straight to the endpoints' own ports; to the proxies in west");
    }

    @Test
    void leavesOutSettingsAboutRequestsOfAnOpaqueService() {
        String yaml = SHOP + """
            ---
            type: MeshTimeout
            mesh: default
            name: long
            spec: {to: [{targetRef: {kind: Mesh}, default: {http: {requestTimeout: 3s}}}]}
            """;
        Explanation explanation =
                new Explainer(() -> model(yaml), Observations.NONE).connection("default", "web", "orders");
        assertThat(explanation.steps()).extracting(Step::about).noneMatch(about -> about.contains(" http."));
        assertThat(step(explanation, "settings about requests").value()).isEqualTo("1 not used");
        assertThat(step(explanation, "MeshTimeout idleTimeout to orders").value())
                .isEqualTo("10s");
    }

    @Test
    void callsThingsByTheNamesThatTheyHaveHere() {
        String yaml = """
            type: Dataplane
            mesh: default
            name: zone-1.web-1
            labels: {kuma.io/display-name: web-1}
            networking: {address: 10.0.0.1, inbound: [{port: 80, tags: {kuma.io/service: web}}]}
            ---
            type: MeshTimeout
            mesh: default
            name: zone-1.slow
            labels: {kuma.io/display-name: slow}
            spec: {to: [{targetRef: {kind: Mesh}, default: {idleTimeout: 10s}}]}
            """;
        Explanation explanation =
                new Explainer(() -> model(yaml), Observations.NONE).connection("default", "web-1", "web");
        assertThat(step(explanation, "from").value()).isEqualTo("Dataplane/zone-1.web-1");
        assertThat(step(explanation, "from").because()).startsWith("the Dataplane of that name");
        assertThat(step(explanation, "MeshTimeout idleTimeout to web").resource())
                .isEqualTo("MeshTimeout/zone-1.slow");
    }

    @Test
    void listsMeshesServicesAndPolicies() {
        assertThat(explainer.meshes())
                .containsExactly(new Overview.MeshLine("default", "ca (builtin, STRICT)", 3, 2, 3));
        assertThat(explainer.services("default"))
                .extracting(Overview.ServiceLine::name)
                .containsExactly("orders", "web");
        assertThat(explainer.policies("default"))
                .extracting(Overview.PolicyLine::state)
                .containsExactly("applied", "applied", "applied", "stored, not applied: use MeshTimeout");
    }
}
