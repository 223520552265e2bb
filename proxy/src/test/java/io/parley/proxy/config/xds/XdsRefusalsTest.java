package io.parley.proxy.config.xds;

import static io.parley.proxy.config.xds.Resources.address;
import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.extras;
import static io.parley.proxy.config.xds.Resources.filter;
import static io.parley.proxy.config.xds.Resources.outbound;
import static io.parley.proxy.config.xds.Resources.read;
import static io.parley.proxy.config.xds.Resources.staticCluster;
import static io.parley.proxy.config.xds.Resources.toCluster;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.network.connection_limit.v3.ConnectionLimit;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Routing;
import io.parley.xds.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is refused, and what then stays. */
class XdsRefusalsTest {
    private final List<ProxyConfig> told = new ArrayList<>();
    private final XdsConfig config = new XdsConfig(Local.NOTHING, told::add);

    @Test
    void whatIsNotUnderstoodIsRefusedByNameAndPath() {
        Map<String, String> refused = change(
                ResourceType.LISTENER,
                outbound(
                                "outbound:a",
                                0,
                                toCluster("x")
                                        .addFilters(Filter.newBuilder()
                                                .setName("magic")
                                                .setTypedConfig(Any.newBuilder()
                                                        .setTypeUrl("type.googleapis.com/magic.v3.Magic")))
                                        .build())
                        .setStatPrefix("s")
                        .setUnknownFields(UnknownFieldSet.newBuilder()
                                .addField(
                                        7_777,
                                        UnknownFieldSet.Field.newBuilder()
                                                .addVarint(1)
                                                .build())
                                .build())
                        .build());
        assertThat(refused.get("outbound:a"))
                .contains("filter_chains[0].filters[1].typed_config: magic.v3.Magic is not understood")
                .contains("stat_prefix: not understood")
                .contains("field number 7777");
    }

    @Test
    void valuesThatCannotBeUsedAreAllReported() {
        Map<String, String> refused = change(
                ResourceType.LISTENER,
                Listener.newBuilder()
                        .setName("other")
                        .setAddress(address("db.example", 70_000))
                        .addFilterChains(FilterChain.newBuilder()
                                .setMetadata(extras(Map.of("protocol", "gopher", "service", 7)))
                                .addFilters(filter("limit", ConnectionLimit.getDefaultInstance())))
                        .build());
        assertThat(refused.get("other"))
                .contains("traffic_direction")
                .contains("port_value: 70000")
                .contains("gopher (expected: one of")
                .contains("service: NUMBER_VALUE")
                .contains("max_connections")
                .contains("no tcp_proxy and no http_connection_manager");
    }

    @Test
    void aBadResourceTakesNoGoodOneDown() {
        config.release();
        Map<String, String> refused = change(
                ResourceType.CLUSTER,
                staticCluster("good", 1),
                Cluster.newBuilder()
                        .setName("bad")
                        .setType(Cluster.DiscoveryType.LOGICAL_DNS)
                        .build());
        assertThat(refused).containsOnlyKeys("bad");
        put(
                ResourceType.LISTENER,
                outbound("outbound:a", 0, toCluster("good").build()).build());
        assertThat(now().listeners()).hasSize(1);
        Map<String, String> again = change(
                ResourceType.LISTENER,
                outbound("outbound:a", 0, FilterChain.getDefaultInstance()).build());
        assertThat(again).containsOnlyKeys("outbound:a");
        assertThat(now().listeners()).hasSize(1);
    }

    private static Listener guarded(RBAC rules) {
        HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder();
        manager.addHttpFiltersBuilder().setName("rbac").setTypedConfig(Any.pack(rules));
        read(
                "route_config { virtual_hosts { name: 'all' domains: '*'"
                        + " routes { match { prefix: '/' } route { cluster: 'good' } } } }",
                manager);
        FilterChain chain = FilterChain.newBuilder()
                .addFilters(filter("http", manager.build()))
                .build();
        return outbound("outbound:a", 0, chain).build();
    }

    private String permissions() {
        return ((Routing.Fixed) now().listeners().getFirst().routing())
                .target()
                .toString()
                .replaceAll("(?s).*(AccessRules\\[effect=\\w+).*", "$1");
    }

    /** What lets people in, and is not understood, lets in nobody else than before. */
    @Test
    void rulesThatAreNotUnderstoodLeaveThoseOfBefore() {
        config.release();
        put(ResourceType.CLUSTER, staticCluster("good", 1));
        put(
                ResourceType.LISTENER,
                guarded(read("rules { action: DENY }", RBAC.newBuilder()).build()));
        assertThat(permissions()).isEqualTo("AccessRules[effect=DENY");
        RBAC newer = RBAC.newBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                7_777,
                                UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                        .build())
                .build();
        String at = "filter_chains[0].filters[0].typed_config.http_filters[0].typed_config";
        Map<RBAC, String> bad = Map.of(
                read("matcher { }", RBAC.newBuilder()).build(),
                at + ".matcher: not understood",
                newer,
                at + ": field number 7777");
        bad.forEach((rules, why) -> {
            Map<String, String> refused = change(
                    ResourceType.LISTENER,
                    guarded(rules),
                    outbound("outbound:b", 0, toCluster("good").build()).build());
            assertThat(refused).containsOnlyKeys("outbound:a");
            assertThat(refused.get("outbound:a")).contains(why);
            assertThat(now().listeners()).hasSize(2);
            assertThat(permissions()).isEqualTo("AccessRules[effect=DENY");
        });
    }

    @Test
    void whatTheProxyCannotDoChangesNothing() {
        XdsConfig stubborn = new XdsConfig(Local.NOTHING, _ -> {
            throw new IllegalStateException("cannot listen on 127.0.0.1:1");
        });
        stubborn.release();
        Map<String, ByteString> listener = Map.of(
                "outbound:a",
                outbound("outbound:a", 1, toCluster("x").build()).build().toByteString());
        assertThat(stubborn.change(ResourceType.LISTENER, "1", listener, List.of()))
                .hasEntrySatisfying("outbound:a", why -> assertThat(why).contains("cannot listen on 127.0.0.1:1"));
        assertThat(stubborn.versions()).isEmpty();
    }

    /** It would be read, and end the proxy: what is too large is refused, and what was in force stays. */
    @Test
    void whatIsTooLargeIsRefused() {
        config.release();
        put(ResourceType.CLUSTER, staticCluster("good", 1));
        put(
                ResourceType.LISTENER,
                outbound("outbound:a", 0, toCluster("good").build()).build());
        Cluster.Builder large = staticCluster("good", 2).toBuilder().setAltStatName("x".repeat(9 << 20));
        assertThat(change(ResourceType.CLUSTER, large.build()).get("good"))
                .contains("(expected: at most 8388608 and 2048)");
        String name = "n".repeat(3_000);
        assertThat(change(ResourceType.CLUSTER, staticCluster(name, 2)).get(name))
                .contains("3000 letters");
        assertThat(now().clusters()).containsOnlyKeys("good");
    }

    @Test
    void brokenBytesHarmNothing() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        config.release();
        byte[] sound = outbound("outbound:a", 0, toCluster("x").build()).build().toByteArray();
        for (int i = 0; i < 300; i++) {
            byte[] bytes = sound.clone();
            for (int j = random.nextInt(1, 4); j > 0; j--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            for (ResourceType type : XdsConfig.ORDER) {
                assertThat(config.change(type, "1", Map.of("outbound:a", ByteString.copyFrom(bytes)), List.of()))
                        .as("seed %d", seed)
                        .isNotNull();
            }
        }
    }

    private ProxyConfig now() {
        return told.getLast();
    }

    private void put(ResourceType type, Message... resources) {
        assertThat(change(type, resources)).isEmpty();
    }

    private Map<String, String> change(ResourceType type, Message... resources) {
        return change(type, bytes(resources), List.of());
    }

    private Map<String, String> change(ResourceType type, Map<String, ByteString> resources, List<String> removed) {
        return config.change(type, "1", resources, removed);
    }
}
