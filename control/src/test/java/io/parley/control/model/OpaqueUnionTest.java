package io.parley.control.model;

import static io.parley.control.testing.Worlds.deleted;
import static io.parley.control.testing.Worlds.model;
import static io.parley.control.testing.Worlds.written;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** design.md 6.3: a Service is opaque on the union over its pods. Case numbers are those of the fact sheet. */
class OpaqueUnionTest {
    private static final String SERVICE = """
        apiVersion: v1
        kind: Service
        metadata: {name: store, namespace: shop%s}
        spec:
          clusterIP: 10.96.0.7
          selector: {app: store}
          ports: [{name: db, port: 9306, targetPort: db}, {name: web, port: 8080}]
        """;

    private static String pod(String name, String address, String annotations) {
        return """
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              name: %s
              namespace: shop
              labels: {app: store, linkerd.io/control-plane-ns: parley}
              annotations: {%s}
            spec:
              containers: [{name: c, ports: [{name: db, containerPort: 9306}]}]
            status: {podIP: %s, conditions: [{type: Ready, status: "True"}]}
            """.formatted(name, annotations, address);
    }

    private static Protocol protocol(Model model, int port) {
        return model.mesh("default")
                .orElseThrow()
                .services()
                .find("store_shop_svc_" + port)
                .orElseThrow()
                .protocol()
                .value();
    }

    @Test
    void case35_thePortStaysOpaqueWhileOneOfItsPodsSaysSo() {
        Model both = model(SERVICE.formatted("")
                + pod("a", "10.1.0.1", "config.linkerd.io/opaque-ports: \"9306\"")
                + pod("b", "10.1.0.2", "config.linkerd.io/proxy-opaque-tcp: \"db,33060\"")
                + pod("c", "10.1.0.3", ""));
        assertThat(protocol(both, 9306)).isEqualTo(Protocol.OPAQUE);
        assertThat(both.mesh("default")
                        .orElseThrow()
                        .services()
                        .find("store_shop_svc_9306")
                        .orElseThrow()
                        .protocol()
                        .because())
                .isEqualTo("port 9306 is declared opaque by annotation on pod/a, union over endpoints: 2 of 3");
        Model one = both.after(List.of(deleted("core/Pod", "shop", "a"))).model();
        assertThat(protocol(one, 9306)).isEqualTo(Protocol.OPAQUE);
        Model none = one.after(List.of(deleted("core/Pod", "shop", "b"))).model();
        assertThat(protocol(none, 9306)).isEqualTo(Protocol.DETECT);
        assertThat(protocol(both, 8080)).isEqualTo(Protocol.DETECT);
    }

    @Test
    void case35_withoutAnyOfThemTheDefaultListHolds() {
        String world = SERVICE.formatted("")
                + pod("a", "10.1.0.1", "config.linkerd.io/opaque-ports: \"9306\"")
                + pod("b", "10.1.0.2", "config.linkerd.io/opaque-ports: \"9306,33060\"")
                + pod("c", "10.1.0.3", "");
        // The port of MySQL, which is on that list.
        Model both = model(world.replace("9306", "3306"));
        assertThat(rule(both, 3306)).isEqualTo("opaque ports");
        Model one = both.after(List.of(deleted("core/Pod", "shop", "a"))).model();
        assertThat(rule(one, 3306)).isEqualTo("opaque ports");
        Model none = one.after(List.of(deleted("core/Pod", "shop", "b"))).model();
        assertThat(protocol(none, 3306)).isEqualTo(Protocol.OPAQUE);
        assertThat(rule(none, 3306)).isEqualTo("opaque ports: default list");
    }

    private static String rule(Model model, int port) {
        return model.mesh("default")
                .orElseThrow()
                .services()
                .find("store_shop_svc_" + port)
                .orElseThrow()
                .protocol()
                .source()
                .rule();
    }

    @Test
    void aServiceWithoutPodsUsesItsOwnAnnotation() {
        Model model = model(SERVICE.formatted(", annotations: {config.linkerd.io/opaque-ports: \"8080\"}"));
        ClusterService service = model.cluster().service("shop", "store").orElseThrow();
        assertThat(model.cluster()
                        .declaredProtocol(service, service.ports().get(1))
                        .value())
                .isEqualTo(Protocol.OPAQUE);
        assertThat(model.cluster()
                        .declaredProtocol(service, service.ports().get(0))
                        .value())
                .isEqualTo(Protocol.DETECT);
    }

    @Test
    void slicesSayWhereAServiceIsAndPodsWhatItTakes() {
        Model model =
                model(SERVICE.formatted("") + pod("a", "10.1.0.1", "config.linkerd.io/opaque-ports: \"9306\"") + """
                    ---
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: store-1, namespace: shop, labels: {kubernetes.io/service-name: store}}
                    addressType: IPv4
                    ports: [{name: db, port: 9306}, {name: web, port: 8080}]
                    endpoints:
                      - {addresses: [10.1.0.1], conditions: {ready: true}, targetRef: {kind: Pod, name: a}}
                      - {addresses: [192.0.2.9], conditions: {ready: false}}
                    """);
        List<Endpoint> endpoints = model.mesh("default")
                .orElseThrow()
                .services()
                .find("store_shop_svc_9306")
                .orElseThrow()
                .endpoints()
                .values();
        assertThat(endpoints).extracting(Endpoint::id).containsExactly("address/192.0.2.9:9306", "pod/a:9306");
        assertThat(endpoints).extracting(Endpoint::healthy).containsExactly(false, true);
        assertThat(endpoints).extracting(Endpoint::kind).containsExactly(Endpoint.Kind.PLAIN, Endpoint.Kind.SIDECAR);
        assertThat(endpoints.getLast().meshPort()).isEqualTo(4143);
    }

    @Test
    void case38_aPortThatIsNotInterceptedHasNoProxyBeforeIt() {
        Model model =
                model(SERVICE.formatted("") + pod("a", "10.1.0.1", "config.linkerd.io/skip-inbound-ports: \"9306\""));
        Endpoint endpoint = model.mesh("default")
                .orElseThrow()
                .services()
                .find("store_shop_svc_9306")
                .orElseThrow()
                .endpoints()
                .values()
                .getFirst();
        assertThat(endpoint.kind()).isEqualTo(Endpoint.Kind.PLAIN);
        assertThat(endpoint.identity()).isNull();
    }

    @Test
    void aDataplaneBesideAPodTakesThePodsAnnotation() {
        String dataplane = """
            ---
            type: Dataplane
            mesh: default
            name: a
            networking:
              address: 10.1.0.1
              inbound: [{port: 9306, tags: {kuma.io/service: orders}}]
            """;
        Model without = model(pod("a", "10.1.0.1", "") + dataplane);
        Model.Update with = without.after(written(pod("a", "10.1.0.1", "config.linkerd.io/opaque-ports: \"9306\"")));
        assertThat(without.mesh("default")
                        .orElseThrow()
                        .services()
                        .find("orders")
                        .orElseThrow()
                        .protocol()
                        .value())
                .isEqualTo(Protocol.DETECT);
        assertThat(with.model()
                        .mesh("default")
                        .orElseThrow()
                        .services()
                        .find("orders")
                        .orElseThrow()
                        .protocol()
                        .value())
                .isEqualTo(Protocol.OPAQUE);
        assertThat(with.touched()).contains(new Subject.ServiceShape("default", "orders"));
    }
}
