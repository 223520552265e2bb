package io.parley.control.gateway.xds;

import static io.parley.control.draft.Protos.ads;
import static io.parley.control.draft.Protos.any;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.listener.v3.ListenerFilter;
import io.envoyproxy.envoy.extensions.filters.http.cors.v3.Cors;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.envoyproxy.envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig;
import io.parley.control.draft.Filters;
import io.parley.control.draft.Protos;
import java.util.List;

/** What listens behind a port: HTTP, or bytes and datagrams that go on as they came. */
final class Streams {
    /** A cluster's part of the connections, more than none. */
    record Share(String cluster, int weight) {}

    private Streams() {}

    static Filter http(String configuration) {
        HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder()
                .setStatPrefix(configuration)
                .setCodecType(HttpConnectionManager.CodecType.AUTO)
                .addHttpFilters(Filters.http(CorsPolicies.FILTER, Cors.getDefaultInstance()))
                .addHttpFilters(Filters.router());
        manager.getRdsBuilder().setConfigSource(ads()).setRouteConfigName(configuration);
        manager.addUpgradeConfigsBuilder().setUpgradeType("websocket");
        return Filters.network(Filters.HTTP, manager.build());
    }

    static Filter tcp(String name, List<Share> shares) {
        TcpProxy.Builder proxy = TcpProxy.newBuilder().setStatPrefix(name);
        if (shares.size() == 1) {
            proxy.setCluster(shares.getFirst().cluster());
        } else {
            shares.forEach(share -> proxy.getWeightedClustersBuilder()
                    .addClustersBuilder()
                    .setName(share.cluster())
                    .setWeight(share.weight()));
        }
        return Filters.network(Filters.TCP_PROXY, proxy.build());
    }

    @SuppressWarnings("deprecation") // a matcher would say the same at ten times the length
    static void udp(String name, List<Share> shares, Listener.Builder listener) {
        listener.addListenerFilters(ListenerFilter.newBuilder()
                .setName("envoy.filters.udp_listener.udp_proxy")
                .setTypedConfig(any(UdpProxyConfig.newBuilder()
                        .setStatPrefix(name)
                        .setCluster(shares.getFirst().cluster())
                        .build())));
        if (shares.size() > 1) {
            ListValue.Builder weighted = ListValue.newBuilder();
            shares.forEach(share -> weighted.addValues(Value.newBuilder()
                    .setStructValue(Struct.newBuilder()
                            .putFields("name", Protos.text(share.cluster()))
                            .putFields(
                                    "weight",
                                    Value.newBuilder()
                                            .setNumberValue(share.weight())
                                            .build()))));
            Struct extras = listener.getMetadata().getFilterMetadataOrThrow(Protos.EXTRAS).toBuilder()
                    .putFields(
                            "weighted_clusters",
                            Value.newBuilder().setListValue(weighted).build())
                    .build();
            listener.getMetadataBuilder().putFilterMetadata(Protos.EXTRAS, extras);
        }
    }
}
