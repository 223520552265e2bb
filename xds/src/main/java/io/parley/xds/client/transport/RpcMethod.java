package io.parley.xds.client.transport;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsResponse;
import io.parley.xds.type.ApiVersion;
import java.util.Locale;

/**
 * A streaming method of xDS. Only the name tells v2 from v3: the messages have the same fields in both (gRPC A30), so the v3
 * classes serve for both.
 *
 * @param name {@code package.Service/Method}
 */
public record RpcMethod<Q extends Message, A extends Message>(String name, Q request, A answer) {
    /** Aggregated discovery, state of the world. */
    public static RpcMethod<DiscoveryRequest, DiscoveryResponse> sotw(ApiVersion version) {
        return new RpcMethod<>(
                "envoy.service.discovery.%s.AggregatedDiscoveryService/StreamAggregatedResources"
                        .formatted(text(version)),
                DiscoveryRequest.getDefaultInstance(),
                DiscoveryResponse.getDefaultInstance());
    }

    /** Aggregated discovery, changes only. */
    public static RpcMethod<DeltaDiscoveryRequest, DeltaDiscoveryResponse> delta(ApiVersion version) {
        return new RpcMethod<>(
                "envoy.service.discovery.%s.AggregatedDiscoveryService/DeltaAggregatedResources"
                        .formatted(text(version)),
                DeltaDiscoveryRequest.getDefaultInstance(),
                DeltaDiscoveryResponse.getDefaultInstance());
    }

    /** Load reporting. */
    public static RpcMethod<LoadStatsRequest, LoadStatsResponse> load(ApiVersion version) {
        return new RpcMethod<>(
                "envoy.service.load_stats.%s.LoadReportingService/StreamLoadStats".formatted(text(version)),
                LoadStatsRequest.getDefaultInstance(),
                LoadStatsResponse.getDefaultInstance());
    }

    private static String text(ApiVersion version) {
        return version.name().toLowerCase(Locale.ROOT);
    }
}
