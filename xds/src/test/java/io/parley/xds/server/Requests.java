package io.parley.xds.server;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.stub.StreamObserver;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.util.List;

final class Requests {
    private Requests() {}

    static void ack(StreamObserver<DiscoveryRequest> requests, DiscoveryResponse response, String... names) {
        requests.onNext(DiscoveryRequest.newBuilder()
                .setTypeUrl(response.getTypeUrl())
                .setVersionInfo(response.getVersionInfo())
                .setResponseNonce(response.getNonce())
                .addAllResourceNames(List.of(names))
                .build());
    }

    static DiscoveryRequest.Builder request(ResourceType type, String... names) {
        return DiscoveryRequest.newBuilder().setTypeUrl(type.url(ApiVersion.V3)).addAllResourceNames(List.of(names));
    }

    static DeltaDiscoveryRequest.Builder delta(ResourceType type, String... names) {
        return DeltaDiscoveryRequest.newBuilder()
                .setTypeUrl(type.url(ApiVersion.V3))
                .addAllResourceNamesSubscribe(List.of(names));
    }
}
