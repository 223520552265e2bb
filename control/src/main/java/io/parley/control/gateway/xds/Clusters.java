package io.parley.control.gateway.xds;

import static io.parley.control.draft.Protos.ads;
import static io.parley.control.draft.Protos.any;
import static io.parley.control.draft.Protos.number;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Http1ProtocolOptions;
import io.envoyproxy.envoy.config.core.v3.Http2ProtocolOptions;
import io.envoyproxy.envoy.config.core.v3.Metadata;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import io.parley.agreement.backend.BackendProtocol;
import io.parley.agreement.backend.RouteKind;
import io.parley.agreement.backend.Transport;
import io.parley.control.draft.Protos;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.World;
import io.parley.control.gateway.route.Target;
import io.parley.resource.core.EndpointSliceSpec;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Backends as clusters, with their endpoints. */
public final class Clusters {
    private static final String OPTIONS = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private Clusters() {}

    /**
     * How a target is spoken to.
     *
     * @param certificate the Secret that is shown to it if it asks; null for none
     */
    public static Cluster of(Target target, @Nullable Name certificate) {
        Cluster.Builder cluster = Cluster.newBuilder()
                .setName(target.clusterName())
                .setType(Cluster.DiscoveryType.EDS)
                .setConnectTimeout(Protos.duration(CONNECT))
                .setLbPolicy(Cluster.LbPolicy.ROUND_ROBIN);
        cluster.getEdsClusterConfigBuilder().setEdsConfig(ads()).setServiceName(target.clusterName());
        HttpProtocolOptions options = options(target.preferred());
        if (options != null) {
            cluster.putTypedExtensionProtocolOptions(OPTIONS, any(options));
        }
        Struct.Builder extras = Struct.newBuilder();
        extras.putFields("protocol", Protos.text(target.preferred().word()));
        if (target.protocols().size() > 1) {
            extras.putFields(
                    "protocols",
                    Protos.text(target.protocols().stream()
                            .map(BackendProtocol::word)
                            .collect(Collectors.joining(","))));
        }
        if (target.tls() != null) {
            cluster.setTransportSocket(PublicTls.upstream(target.tls(), target.preferred(), certificate));
            extras.putFields("tls", Protos.text("public"));
        }
        return cluster.setMetadata(metadata(extras)).build();
    }

    private static @Nullable HttpProtocolOptions options(BackendProtocol protocol) {
        HttpProtocolOptions.Builder options = HttpProtocolOptions.newBuilder();
        return switch (protocol) {
            case HTTP1, WEBSOCKET, HTTP1_TLS -> {
                options.getExplicitHttpConfigBuilder()
                        .setHttpProtocolOptions(Http1ProtocolOptions.getDefaultInstance());
                yield options.build();
            }
            case H2C, H2 -> {
                options.getExplicitHttpConfigBuilder()
                        .setHttp2ProtocolOptions(Http2ProtocolOptions.getDefaultInstance());
                yield options.build();
            }
            case NEGOTIATED -> {
                options.getAutoConfigBuilder()
                        .setHttpProtocolOptions(Http1ProtocolOptions.getDefaultInstance())
                        .setHttp2ProtocolOptions(Http2ProtocolOptions.getDefaultInstance());
                yield options.build();
            }
            case TCP, UDP -> null;
        };
    }

    static String brokenName(String route, int rule, int backend) {
        return "broken|" + route + "|" + rule + "|" + backend;
    }

    /** The share of a backend that cannot be reached: an answer, and why. */
    static Cluster broken(RouteKind kind, String route, int rule, int backend, String because) {
        Struct.Builder extras = Struct.newBuilder();
        extras.putFields(
                "direct_response",
                Value.newBuilder().setNumberValue(Actions.errorStatus(kind)).build());
        extras.putFields("because", Protos.text(because));
        return Cluster.newBuilder()
                .setName(brokenName(route, rule, backend))
                .setType(Cluster.DiscoveryType.STATIC)
                .setMetadata(metadata(extras))
                .build();
    }

    private static Metadata metadata(Struct.Builder extras) {
        return Metadata.newBuilder()
                .putFilterMetadata(Protos.EXTRAS, extras.build())
                .build();
    }

    /** What is ready of a target. All addresses of an endpoint lead to the same, so the first is taken. */
    public static ClusterLoadAssignment endpoints(World world, Target target) {
        ClusterLoadAssignment.Builder assignment =
                ClusterLoadAssignment.newBuilder().setClusterName(target.clusterName());
        LocalityLbEndpoints.Builder all = LocalityLbEndpoints.newBuilder();
        Transport transport = target.preferred() == BackendProtocol.UDP ? Transport.UDP : Transport.TCP;
        for (EndpointSliceSpec slice : world.slicesOf(target.service())) {
            slice.ports().stream()
                    .filter(port -> port.name().equals(target.portName()))
                    .filter(port -> port.transport().name().equals(transport.name()))
                    .findFirst()
                    .ifPresent(port -> slice.endpoints().stream()
                            .filter(endpoint ->
                                    endpoint.ready() && !endpoint.addresses().isEmpty())
                            .forEach(endpoint -> all.addLbEndpointsBuilder()
                                    .setLoadBalancingWeight(number(1))
                                    .getEndpointBuilder()
                                    .setAddress(
                                            Protos.address(endpoint.addresses().getFirst(), port.number()))));
        }
        if (all.getLbEndpointsCount() > 0) {
            assignment.addEndpoints(all.setLoadBalancingWeight(number(1)));
        }
        return assignment.build();
    }
}
