package io.parley.proxy.config.xds;

import static io.parley.proxy.config.xds.Resources.allow;
import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.destination;
import static io.parley.proxy.config.xds.Resources.extras;
import static io.parley.proxy.config.xds.Resources.filter;
import static io.parley.proxy.config.xds.Resources.inbound;
import static io.parley.proxy.config.xds.Resources.outbound;
import static io.parley.proxy.config.xds.Resources.port;
import static io.parley.proxy.config.xds.Resources.read;
import static io.parley.proxy.config.xds.Resources.strict;
import static io.parley.proxy.config.xds.Resources.toCluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.FilterChainMatch;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.network.connection_limit.v3.ConnectionLimit;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.local_ratelimit.v3.LocalRateLimit;
import io.parley.xds.type.ResourceType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a chain says and would not be done is refused, and does not look as if it held. */
class ChainRefusalsTest {
    private static final Filter WEB_ONLY = allow("spiffe://mesh/web");

    private final XdsConfig config = new XdsConfig(Local.NOTHING, _ -> {});

    private String refusal(Listener.Builder listener) {
        return config.change(ResourceType.LISTENER, "1", bytes(listener.build()), List.of())
                .toString();
    }

    private static FilterChain.Builder after(Filter... guards) {
        FilterChain.Builder chain = toCluster("c");
        Filter last = chain.getFilters(0);
        return chain.clearFilters().addAllFilters(List.of(guards)).addFilters(last);
    }

    private static Listener.Builder gateway() {
        return outbound("gateway:a/b:443", 0, toCluster("c").build())
                .clearFilterChains()
                .setMetadata(extras(Map.of("gateway", "a/b")));
    }

    private static Filter atMost(int connections) {
        return filter(
                "limit",
                read("max_connections { value: " + connections + " }", ConnectionLimit.newBuilder())
                        .build());
    }

    private static Filter perSecond(int connections) {
        return filter(
                "rate",
                read(
                                "token_bucket { max_tokens: 1 tokens_per_fill { value: " + connections
                                        + " } fill_interval { seconds: 1 } }",
                                LocalRateLimit.newBuilder())
                        .build());
    }

    @Test
    void whoMayIsNotAskedOutbound() {
        assertThat(refusal(outbound("outbound:a", 0, after(WEB_ONLY).build())))
                .contains("filter_chains[0].filters: rbac (expected: none outbound");
    }

    @Test
    void whoMayUseAServiceByNameIsSaidOfThePortItself() {
        FilterChain byName = after(WEB_ONLY)
                .setFilterChainMatch(port(80).toBuilder().addServerNames("a.example"))
                .build();
        assertThat(refusal(inbound("inbound", 4143, byName))).contains("rbac beside server_names");
    }

    @Test
    void tlsIsNotEndedOutbound() {
        assertThat(refusal(outbound(
                        "outbound:a",
                        0,
                        toCluster("c").setTransportSocket(strict()).build())))
                .contains("filter_chains[0].transport_socket: set");
    }

    @Test
    void chainsAreToldApartOnlyByWhatIsKnownThere() {
        FilterChain byName = toCluster("c")
                .setFilterChainMatch(FilterChainMatch.newBuilder().addServerNames("a.example"))
                .build();
        FilterChain byAddress =
                toCluster("c").setFilterChainMatch(destination("10.0.0.1", 80)).build();
        assertThat(refusal(outbound("outbound:a", 0, byName))).contains("server_names: [a.example] (expected: none");
        assertThat(refusal(inbound("inbound", 4143, byAddress))).contains("prefix_ranges: [/10.0.0.1] (expected: none");
        assertThat(refusal(gateway().addFilterChains(byAddress)))
                .contains("filter_chains[0].filter_chain_match.prefix_ranges: set")
                .contains("filter_chains[0].filter_chain_match.destination_port: set");
    }

    private static FilterChain requests(String more) {
        return FilterChain.newBuilder()
                .addFilters(filter(
                        "http",
                        read("rds { route_config_name: 'r' } " + more, HttpConnectionManager.newBuilder())
                                .build()))
                .build();
    }

    @Test
    void proxiesBeforeThisOneAreTrustedOnlyWhereStrangersCome() {
        assertThat(refusal(inbound("inbound:a", 0, requests("xff_num_trusted_hops: 1"))))
                .contains("filters[0].typed_config.xff_num_trusted_hops: set (expected: only with use_remote_address");
        assertThat(refusal(inbound(
                        "inbound:a", 0, requests("xff_num_trusted_hops: 16 use_remote_address { value: true }"))))
                .isEqualTo("{}");
        assertThat(refusal(gateway().addFilterChains(requests("xff_num_trusted_hops: 1"))))
                .isEqualTo("{}");
        assertThat(refusal(inbound(
                        "inbound:a",
                        0,
                        requests("forward_client_cert_details: SANITIZE_SET use_remote_address { value: true }"))))
                .contains("forward_client_cert_details: SANITIZE_SET (expected: SANITIZE beside use_remote_address)");
        assertThat(refusal(gateway().addFilterChains(requests("xff_num_trusted_hops: 17"))))
                .contains("filters[0].typed_config.xff_num_trusted_hops: 17 (expected: 0 to 16");
    }

    @Test
    void oneListenerHasOneLimit() {
        assertThat(refusal(inbound(
                        "inbound:a",
                        0,
                        after(atMost(1), atMost(2), perSecond(1), perSecond(2)).build())))
                .contains("filters[1].typed_config.max_connections: 2 after 1 (expected: the same")
                .contains("filters[3].typed_config.token_bucket");
        FilterChain.Builder named = after(atMost(1))
                .setFilterChainMatch(FilterChainMatch.newBuilder().addServerNames("a.example"));
        assertThat(refusal(gateway().addFilterChains(named).setDefaultFilterChain(toCluster("c"))))
                .isEqualTo("{}");
        assertThat(refusal(gateway().addFilterChains(named).setDefaultFilterChain(after(atMost(2)))))
                .contains("default_filter_chain.filters[0].typed_config.max_connections: 2 after 1");
    }
}
