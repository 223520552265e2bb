package io.parley.control.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.parley.control.draft.Flavor;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.policy.Destination;
import io.parley.control.testing.Worlds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ZoneProxyFactoryTest {
    private static final String WORLD = """
        type: Mesh
        name: default
        mtls: {enabledBackend: ca, backends: [{name: ca, type: builtin}]}
        ---
        type: ZoneIngress
        name: in
        zone: east
        networking: {address: 10.9.0.1, port: 10001}
        ---
        type: Dataplane
        mesh: default
        name: db-1
        networking:
          address: 10.0.0.1
          transparentProxying: {redirectPortInbound: 15006, redirectPortOutbound: 15001}
          inbound: [{port: 5000, tags: {kuma.io/service: db}}]
        """;

    private static final String WORLD_WITH_EGRESS = """
        type: Mesh
        name: default
        mtls: {enabledBackend: ca, backends: [{name: ca, type: builtin}]}
        routing: {zoneEgress: true}
        ---
        type: ZoneEgress
        name: out
        networking: {address: 10.9.0.2, port: 10002}
        ---
        type: ZoneIngress
        name: west.in
        zone: west
        networking: {address: 10.9.0.3, port: 10001, advertisedAddress: 10.9.0.3, advertisedPort: 10001}
        availableServices: [{mesh: default, instances: 1, tags: {kuma.io/service: mail, kuma.io/zone: west}}]
        ---
        type: ExternalService
        mesh: default
        name: bank
        tags: {kuma.io/service: bank}
        networking: {address: "192.0.2.7:443", tls: {enabled: true, serverName: bank.example}}
        ---
        type: ExternalService
        mesh: default
        name: liar
        tags: {kuma.io/service: liar}
        networking: {address: "192.0.2.9:443", tls: {enabled: true, serverName: mail.default}}
        ---
        type: ExternalService
        mesh: default
        name: plain
        tags: {kuma.io/service: plain}
        networking: {address: "192.0.2.8:80"}
        """;

    private final Model model = Worlds.model(WORLD);
    private final Built built = ZoneProxyFactory.build(model, "in");

    @Test
    void passesOnByServerNameAndToWhereHeadersAreReadIfTheClientOffersOne() {
        Listener listener = built.assembled().listeners().values().iterator().next();
        List<FilterChain> chains = listener.getFilterChainsList();
        assertThat(chains).allSatisfy(chain -> {
            assertThat(chain.hasTransportSocket()).as("the ingress ends no TLS").isFalse();
            assertThat(chain.getFilterChainMatch().getServerNamesList()).containsExactly("db.default");
        });
        assertThat(chains.stream()
                        .map(chain ->
                                String.join(",", chain.getFilterChainMatch().getApplicationProtocolsList())))
                .containsExactlyInAnyOrder("", "transport.l5d.io/v1");
        assertThat(dialled("default/db")).isEqualTo(5000);
        assertThat(dialled("default/db by header")).isEqualTo(15006);
    }

    @Test
    void tellsNobodyWhoIsBehindIt() {
        assertThat(assignment("default/db").getEndpoints(0).getLbEndpoints(0).hasMetadata())
                .isFalse();
    }

    @Test
    void hasNoListenerWhereNothingIsOffered() {
        Model alone = Worlds.model("{type: ZoneIngress, name: in, networking: {address: 10.9.0.1, port: 10001}}");
        assertThat(ZoneProxyFactory.build(alone, "in").assembled().listeners()).isEmpty();
    }

    @Test
    void anEgressPassesOnToOtherZonesAndToWhatIsOutsideByTheNamesAskedFor() {
        Model world =
                Model.empty("east").after(Worlds.written(WORLD_WITH_EGRESS)).model();
        Built egress = ZoneProxyFactory.build(world, "out");
        Listener listener = egress.assembled().listeners().values().iterator().next();
        assertThat(listener.getFilterChainsList().stream()
                        .map(chain -> chain.getFilterChainMatch().getServerNames(0)))
                .containsExactly("mail.default", "bank.example");
        assertThat(String.valueOf(egress.assembled().clusters().get("default/external/bank")))
                .contains("192.0.2.7", "port_value: 443")
                .doesNotContain("transport_socket");
        assertThat(egress.assembled().problems())
                .containsExactly("default/external/liar is not reached here: TLS asks for it as for default/mail");
    }

    @Test
    void whatIsOutsideIsReachedByWayOfTheEgressWithItsOwnTls() {
        Model world =
                Model.empty("east").after(Worlds.written(WORLD_WITH_EGRESS)).model();
        MeshModel mesh = world.mesh("default").orElseThrow();
        ClusterFactory clusters = new ClusterFactory(mesh, Flavor.PARLEY, world.wayOut(mesh));
        String bank = clusters.service(Destination.of(mesh, "bank", Map.of()))
                .finish()
                .toString();
        assertThat(bank)
                .contains("10.9.0.2", "port_value: 10002", "transport_socket")
                .doesNotContain("192.0.2.7");
        String plain = clusters.service(Destination.of(mesh, "plain", Map.of()))
                .finish()
                .toString();
        assertThat(plain).contains("192.0.2.8", "port_value: 80");
    }

    @Test
    void saysWhichOfTwoServicesThatTlsCannotTellApartIsLeftOut() {
        Model two = Worlds.model(WORLD + """
            ---
            type: Dataplane
            mesh: default
            name: db-2
            networking: {address: 10.0.0.2, inbound: [{port: 5000, tags: {kuma.io/service: a_b}}]}
            ---
            type: Dataplane
            mesh: default
            name: db-3
            networking: {address: 10.0.0.3, inbound: [{port: 5000, tags: {kuma.io/service: a-b}}]}
            """);
        assertThat(ZoneProxyFactory.build(two, "in").assembled().problems())
                .containsExactly("default/a_b is not reached here: TLS asks for it as for default/a-b");
    }

    private int dialled(String cluster) {
        return assignment(cluster)
                .getEndpoints(0)
                .getLbEndpoints(0)
                .getEndpoint()
                .getAddress()
                .getSocketAddress()
                .getPortValue();
    }

    private ClusterLoadAssignment assignment(String cluster) {
        Built.Assigned assigned = built.destinations().stream()
                .filter(each -> each.clusterName().equals(cluster))
                .findFirst()
                .orElseThrow();
        return EndpointFactory.of(model, model.mesh("default").orElseThrow(), assigned, null);
    }
}
