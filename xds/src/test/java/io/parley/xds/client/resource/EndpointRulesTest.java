package io.parley.xds.client.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.core.v3.Pipe;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.Endpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndpointRulesTest {
    @Test
    void c28_aGapInThePrioritiesIsRefused() {
        assertThat(violations(group("a", 0), group("b", 2)))
                .containsExactly("endpoints: priorities [0, 2] (expected: 0 and on without a gap)");
        assertThat(violations(group("a", 1))).hasSize(1);
        assertThat(violations(group("b", 1), group("a", 0))).isEmpty();
    }

    @Test
    void c28_aLocalityTwiceInOnePriorityIsRefused() {
        assertThat(violations(group("a", 0), group("a", 0)))
                .containsExactly("endpoints[1].locality: given twice (expected: once for priority 0)");
        assertThat(violations(group("a", 0), group("a", 1))).isEmpty();
    }

    @Test
    void c28_onlyIpAddressesAreEndpoints() {
        assertThat(violations(endpoint("example.org", 80))).hasSize(1);
        assertThat(violations(endpoint("", 80))).hasSize(1);
        assertThat(violations(endpoint("10.0.0.256", 80))).hasSize(1);
        assertThat(violations(endpoint("10.0.0.1", 70_000))).hasSize(1);
        assertThat(violations(endpoint("10.0.0.1", -1))).hasSize(1);
        assertThat(violations(
                        endpoint("10.0.0.1", 80),
                        endpoint(Locality.newBuilder().setZone("b").build(), "fe80::1", 80)))
                .isEmpty();
        assertThat(violations(LocalityLbEndpoints.newBuilder()
                        .addLbEndpoints(LbEndpoint.newBuilder()
                                .setEndpoint(Endpoint.newBuilder()
                                        .setAddress(Address.newBuilder().setPipe(Pipe.getDefaultInstance()))))
                        .build()))
                .containsExactly("endpoints[0].lb_endpoints[0].endpoint.address: PIPE (expected: a socket address)");
    }

    @Test
    void anEmptyAssignmentIsSound() {
        assertThat(violations()).isEmpty();
    }

    private static List<String> violations(LocalityLbEndpoints... groups) {
        return EndpointRules.violations(ClusterLoadAssignment.newBuilder()
                .addAllEndpoints(List.of(groups))
                .build());
    }

    private static LocalityLbEndpoints group(String zone, int priority) {
        return LocalityLbEndpoints.newBuilder()
                .setLocality(Locality.newBuilder().setZone(zone))
                .setPriority(priority)
                .build();
    }

    private static LocalityLbEndpoints endpoint(String address, int port) {
        return endpoint(Locality.getDefaultInstance(), address, port);
    }

    private static LocalityLbEndpoints endpoint(Locality locality, String address, int port) {
        return LocalityLbEndpoints.newBuilder()
                .setLocality(locality)
                .addLbEndpoints(LbEndpoint.newBuilder()
                        .setEndpoint(Endpoint.newBuilder()
                                .setAddress(Address.newBuilder()
                                        .setSocketAddress(SocketAddress.newBuilder()
                                                .setAddress(address)
                                                .setPortValue(port)))))
                .build();
    }
}
