package io.parley.control.model;

import static io.parley.control.testing.Worlds.dataplane;
import static io.parley.control.testing.Worlds.deleted;
import static io.parley.control.testing.Worlds.mesh;
import static io.parley.control.testing.Worlds.model;
import static io.parley.control.testing.Worlds.written;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.agreement.reason.Decision;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.Violation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ModelTest {
    private static final String TWO = dataplane("web-1", "10.0.0.1", "web:http") + dataplane("db-1", "10.0.0.2", "db");

    @Test
    void findsServicesByTheTagsOfTheirProxies() {
        Service web = mesh(TWO).services().find("web").orElseThrow();
        Endpoint endpoint = web.endpoints().values().getFirst();
        assertThat(endpoint.address()).isEqualTo("10.0.0.1");
        assertThat(endpoint.port()).isEqualTo(8080);
        assertThat(endpoint.identity()).isEqualTo("spiffe://default/web");
        assertThat(web.protocol().value()).isEqualTo(Protocol.HTTP1);
        assertThat(web.protocol().source().field()).isEqualTo("networking.inbound[0].tags[\"kuma.io/protocol\"]");
    }

    @Test
    void saysWhatAChangeTouchesAndNothingElse() {
        Model before = model(TWO);
        Model.Update update = before.after(written(dataplane("web-2", "10.0.0.3", "web:http")));
        assertThat(update.touched())
                .containsExactlyInAnyOrder(
                        new Subject.DataplaneOf("default", "web-2"), new Subject.ServiceEndpoints("default", "web"));
        assertThat(before.mesh("default").orElseThrow().dataplanes().size()).isEqualTo(2);
    }

    @Test
    void touchesTheShapeOfAServiceWhenItComesGoesOrSpeaksDifferently() {
        Model before = model(TWO);
        assertThat(before.after(written(dataplane("web-1", "10.0.0.1", "web:grpc")))
                        .touched())
                .contains(new Subject.ServiceShape("default", "web"));
        assertThat(before.after(written(dataplane("new-1", "10.0.0.9", "new:http")))
                        .touched())
                .contains(new Subject.ServiceShape("default", "new"));
        Model.Update gone = before.after(List.of(deleted("Dataplane", "default", "web-1")));
        assertThat(gone.touched()).contains(new Subject.ServiceShape("default", "web"));
        assertThat(gone.model().mesh("default").orElseThrow().services().contains("web"))
                .isFalse();
    }

    @Test
    void keepsTheLastGoodVersionOfAResourceThatWentBadAndShowsWhatIsWrong() {
        ResourceKey key = new ResourceKey(new KindId("Dataplane"), "default", "web-1");
        Resource bad = Resource.of(key, new Document("{\"networking\":{\"address\":\"nowhere!\"}}"));
        Model after = model(TWO).after(List.of(written(bad))).model();
        assertThat(after.mesh("default").orElseThrow().dataplanes().contains("web-1"))
                .isTrue();
        assertThat(after.refusals().find(key).orElseThrow().violations())
                .anyMatch(violation -> violation.path().equals("networking.address"));
        assertThat(after.after(written(TWO)).model().refusals().isEmpty()).isTrue();
    }

    @Test
    void anInboundThatIsNotReadyIsAnUnhealthyEndpointAndAnIgnoredOneIsNone() {
        MeshModel mesh = mesh("""
            type: Dataplane
            mesh: default
            name: web-1
            networking:
              address: 10.0.0.1
              inbound:
                - {port: 80, state: NotReady, tags: {kuma.io/service: web}}
                - {port: 81, state: Ignored, tags: {kuma.io/service: admin}}
            """);
        assertThat(mesh.services()
                        .find("web")
                        .orElseThrow()
                        .endpoints()
                        .values()
                        .getFirst()
                        .healthy())
                .isFalse();
        assertThat(mesh.services().contains("admin")).isFalse();
    }

    @Test
    void reachesOtherZonesThroughTheirIngress() {
        Model model = Model.empty("east").after(written("""
            type: ZoneIngress
            name: west-in
            zone: west
            networking: {address: 10.9.0.1, port: 10001, advertisedAddress: 198.51.100.7, advertisedPort: 443}
            availableServices:
              - {tags: {kuma.io/service: web, kuma.io/zone: west}, instances: 3, mesh: default}
              - tags: {kuma.io/service: db, kuma.io/zone: west, kuma.io/protocol: tcp, parley.io/port: "5432"}
                instances: 1
                mesh: default
            ---
            type: ZoneIngress
            name: east-in
            zone: east
            networking: {address: 10.9.0.2, port: 10001}
            availableServices:
              - {tags: {kuma.io/service: web, kuma.io/zone: east}, instances: 2, mesh: default}
            """)).model();
        List<Endpoint> endpoints = model.mesh("default")
                .orElseThrow()
                .services()
                .find("web")
                .orElseThrow()
                .endpoints()
                .values();
        assertThat(endpoints).hasSize(1);
        assertThat(endpoints.getFirst().address()).isEqualTo("198.51.100.7");
        assertThat(endpoints.getFirst().weight()).isEqualTo(3);
        assertThat(endpoints.getFirst().kind()).isEqualTo(Endpoint.Kind.OTHER_ZONE);
        assertThat(endpoints.getFirst().port()).isEqualTo(443);
        Service db = model.mesh("default").orElseThrow().services().find("db").orElseThrow();
        assertThat(db.protocol().value()).isEqualTo(Protocol.OPAQUE);
        assertThat(db.protocol().because()).contains("ZoneIngress/west-in announces tcp for db");
        assertThat(db.endpoints().values().getFirst().port()).isEqualTo(5432);
        assertThat(db.endpoints().values().getFirst().meshPort()).isEqualTo(443);
    }

    @Test
    void namesServicesByVirtualOutbounds() {
        MeshModel mesh = mesh(TWO + """
            ---
            type: VirtualOutbound
            mesh: default
            name: plain
            selectors: [{match: {kuma.io/service: "*"}}]
            conf:
              host: "{{.service}}.mesh"
              port: "80"
              parameters: [{name: service, tagKey: kuma.io/service}]
            """);
        assertThat(mesh.hostNames(mesh.services().find("db").orElseThrow()))
                .containsExactly(new VirtualOutbound.HostName("db.mesh", 80, "plain", Map.of("kuma.io/service", "db")));
    }

    @Test
    void knowsExternalServicesAndShowsNoKeys() {
        MeshModel mesh = mesh("""
            type: ExternalService
            mesh: default
            name: httpbin
            tags: {kuma.io/service: httpbin, kuma.io/protocol: http}
            networking:
              address: "httpbin.org:443"
              tls:
                enabled: true
                caCert: {secret: ca}
                clientCert: {inline: Y2VydGlmaWNhdGU=}
                clientKey: {inlineString: hidden}
            """);
        Service service = mesh.services().find("httpbin").orElseThrow();
        assertThat(service.externals())
                .extracting(ExternalService::tls)
                .containsExactly(new ExternalService.Tls(
                        null,
                        new DataSource.InSecret("ca"),
                        new DataSource.Inline("certificate"),
                        new DataSource.Inline("hidden"),
                        false));
        assertThat(service.toString()).doesNotContain("hidden");
        assertThat(service.endpoints().values().getFirst().kind()).isEqualTo(Endpoint.Kind.EXTERNAL);
    }

    @Test
    void anExternalServiceIsAskedForByANameThatTlsTakes() {
        Model model = model("""
            type: ExternalService
            mesh: default
            name: a
            tags: {kuma.io/service: a}
            networking: {address: "a.test:443", tls: {enabled: true, serverName: "a test"}}
            """);
        assertThat(model.refusals().values())
                .flatExtracting(Refusal::violations)
                .extracting(Violation::toString)
                .containsExactly("networking.tls.serverName: \"a test\" (expected: a host name or an address)");
    }

    @Test
    void severalExternalServicesOfOneNameAreOneServiceUntilTheLastIsGone() {
        String yaml = """
            type: ExternalService
            mesh: default
            name: %s
            tags: {kuma.io/service: httpbin}
            networking: {address: "%s:80"}
            """;
        Model both = model(yaml.formatted("b", "b.test") + "---\n" + yaml.formatted("a", "a.test"));
        assertThat(externals(both)).containsExactly("a", "b");
        Model one =
                both.after(List.of(deleted("ExternalService", "default", "b"))).model();
        assertThat(externals(one)).containsExactly("a");
        Model none =
                one.after(List.of(deleted("ExternalService", "default", "a"))).model();
        assertThat(none.mesh("default").orElseThrow().services().find("httpbin"))
                .isEmpty();
    }

    private static List<String> externals(Model model) {
        return model.mesh("default").orElseThrow().services().find("httpbin").orElseThrow().externals().stream()
                .map(ExternalService::name)
                .toList();
    }

    @Test
    void oldPoliciesAreKeptAndNotAppliedAndTheNewKindIsNamed() {
        Model model = model("""
            type: TrafficPermission
            mesh: default
            name: all
            sources: [{match: {kuma.io/service: "*"}}]
            destinations: [{match: {kuma.io/service: "*"}}]
            """);
        assertThat(model.notApplied().values()).containsExactly(new KindId("MeshTrafficPermission"));
    }

    @Test
    void aPortOnTheDefaultListIsOpaqueUntilSomebodyDeclaresOtherwise() {
        String yaml = """
            type: Dataplane
            mesh: default
            name: db-1
            networking:
              address: 10.0.0.1
              inbound: [{port: 13306, servicePort: 3306, tags: {kuma.io/service: db%s}}]
            """;
        Decision<Protocol> usual =
                mesh(yaml.formatted("")).services().find("db").orElseThrow().protocol();
        assertThat(usual.value()).isEqualTo(Protocol.OPAQUE);
        assertThat(usual.because()).contains("port 3306 is on the default list");
        assertThat(mesh(yaml.formatted(", kuma.io/protocol: http"))
                        .services()
                        .find("db")
                        .orElseThrow()
                        .protocol()
                        .value())
                .isEqualTo(Protocol.HTTP1);
    }
}
