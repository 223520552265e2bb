package io.parley.proxy.config.xds;

import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.extras;
import static io.parley.proxy.config.xds.Resources.inbound;
import static io.parley.proxy.config.xds.Resources.passThrough;
import static io.parley.proxy.config.xds.Resources.port;
import static io.parley.proxy.config.xds.Resources.strict;
import static io.parley.proxy.config.xds.Resources.toCluster;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.parley.agreement.port.PortList;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Routing;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ports of the application that no chain is for. */
class UnnamedPortsTest {
    private static final int OPAQUE = 3306;
    private static final int OTHER = 3307;

    private final List<ProxyConfig> told = new ArrayList<>();
    private final XdsConfig config =
            new XdsConfig(new Local(null, null, PortList.parse("" + OPAQUE).ports()), told::add);

    private Routing.ToApplication routing(FilterChain others) {
        config.release();
        config.change(ResourceType.CLUSTER, "1", bytes(passThrough("as-dialled")), List.of());
        FilterChain one = toCluster("as-dialled").setFilterChainMatch(port(80)).build();
        assertThat(config.change(
                        ResourceType.LISTENER,
                        "1",
                        bytes(inbound("inbound", 4143, one)
                                .setDefaultFilterChain(others)
                                .build()),
                        List.of()))
                .isEmpty();
        return (Routing.ToApplication) told.getLast().listeners().getFirst().routing();
    }

    private static FilterChain others(String protocol) {
        TcpProxy.Builder tcp = TcpProxy.newBuilder().setStatPrefix("x").setCluster("as-dialled");
        tcp.getIdleTimeoutBuilder().setSeconds(7);
        return FilterChain.newBuilder()
                .setMetadata(extras(Map.of("protocol", protocol)))
                .setTransportSocket(strict())
                .addFilters(Filter.newBuilder().setName("tcp").setTypedConfig(Any.pack(tcp.build())))
                .build();
    }

    @Test
    void theEnvironmentSaysOnlyWhatAPortCarries() {
        Routing.ToApplication routing = routing(others("detect"));
        InboundPort opaque = routing.port(OPAQUE);
        assertThat(opaque.declared().value()).isEqualTo(Protocol.OPAQUE);
        assertThat(opaque.endsTls()).isTrue();
        assertThat(opaque.raw().idle()).isEqualTo(Duration.ofSeconds(7));
        assertThat(opaque.authorization()).isEqualTo(routing.port(OTHER).authorization());
    }

    @Test
    void andGivesWayToADeclaration() {
        assertThat(routing(others("http1")).port(OPAQUE).declared().value()).isEqualTo(Protocol.HTTP1);
    }
}
