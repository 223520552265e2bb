package io.parley.control.draft;

import static io.parley.control.draft.Protos.any;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Http1ProtocolOptions;
import io.envoyproxy.envoy.config.core.v3.Http2ProtocolOptions;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import io.parley.control.model.Protocol;
import io.parley.control.policy.Destination;

/** A set of endpoints that a proxy sends to. */
public final class ClusterDraft {
    private static final String OPTIONS = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

    private final Destination destination;
    private final Protocol protocol;
    private final Cluster.Builder cluster;
    private final HttpProtocolOptions.Builder http = HttpProtocolOptions.newBuilder();

    public ClusterDraft(Destination destination, Protocol protocol, Cluster.Builder cluster) {
        this.destination = destination;
        this.protocol = protocol;
        this.cluster = cluster;
    }

    public Destination destination() {
        return destination;
    }

    public String name() {
        return cluster.getName();
    }

    public Protocol protocol() {
        return protocol;
    }

    public Cluster.Builder cluster() {
        return cluster;
    }

    /** How requests are sent; without effect where there are none. */
    public HttpProtocolOptions.Builder http() {
        return http;
    }

    public Cluster finish() {
        switch (protocol) {
            case OPAQUE, TLS -> {
                return cluster.build();
            }
            case HTTP1 ->
                http.getExplicitHttpConfigBuilder().setHttpProtocolOptions(Http1ProtocolOptions.getDefaultInstance());
            case HTTP2, GRPC ->
                http.getExplicitHttpConfigBuilder().setHttp2ProtocolOptions(Http2ProtocolOptions.getDefaultInstance());
            case DETECT ->
                http.getUseDownstreamProtocolConfigBuilder()
                        .setHttpProtocolOptions(Http1ProtocolOptions.getDefaultInstance())
                        .setHttp2ProtocolOptions(Http2ProtocolOptions.getDefaultInstance());
        }
        return cluster.putTypedExtensionProtocolOptions(OPTIONS, any(http.build()))
                .build();
    }
}
