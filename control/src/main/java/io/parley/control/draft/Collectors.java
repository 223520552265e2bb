package io.parley.control.draft;

import static io.parley.control.draft.Protos.address;
import static io.parley.control.draft.Protos.any;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Http2ProtocolOptions;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import java.time.Duration;

/** Programs outside the mesh that logs and traces are sent to. */
public final class Collectors {
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private Collectors() {}

    /** One that takes HTTP/1. */
    public static Cluster plain(String host, int port) {
        return cluster(host, port).build();
    }

    /** One that takes gRPC. */
    public static Cluster grpc(String host, int port) {
        HttpProtocolOptions.Builder options = HttpProtocolOptions.newBuilder();
        options.getExplicitHttpConfigBuilder().setHttp2ProtocolOptions(Http2ProtocolOptions.getDefaultInstance());
        return cluster(host, port)
                .putTypedExtensionProtocolOptions(
                        "envoy.extensions.upstreams.http.v3.HttpProtocolOptions", any(options.build()))
                .build();
    }

    private static Cluster.Builder cluster(String host, int port) {
        String bare = host.replaceAll("^\\[|]$", "");
        String name = "parley:" + host + ":" + port;
        Cluster.Builder cluster = Cluster.newBuilder()
                .setName(name)
                .setType(Cluster.DiscoveryType.STRICT_DNS)
                .setConnectTimeout(Protos.duration(CONNECT));
        LbEndpoint.Builder endpoint = LbEndpoint.newBuilder();
        endpoint.getEndpointBuilder().setAddress(address(bare, port));
        cluster.getLoadAssignmentBuilder()
                .setClusterName(name)
                .addEndpointsBuilder()
                .addLbEndpoints(endpoint);
        return cluster;
    }
}
