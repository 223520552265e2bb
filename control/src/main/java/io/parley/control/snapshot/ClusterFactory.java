package io.parley.control.snapshot;

import static io.parley.control.draft.Protos.ads;
import static io.parley.control.draft.Protos.any;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.cluster.v3.Cluster.TransportSocketMatch;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer;
import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.control.draft.ClusterDraft;
import io.parley.control.draft.Flavor;
import io.parley.control.draft.Protos;
import io.parley.control.model.Dataplane;
import io.parley.control.model.Endpoint;
import io.parley.control.model.ExternalService;
import io.parley.control.model.Identities;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Protocol;
import io.parley.control.model.Service;
import io.parley.control.policy.Destination;
import io.parley.resource.mesh.Inbound;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Makes clusters: of services, of the workload's own ports, of everything else. */
final class ClusterFactory {
    static final String PASS = "pass";

    /** An endpoint with this mark is spoken to in the mesh's TLS, where not all of a service are. */
    static final Map<String, String> MESHED = Map.of("mesh", "true");

    private static final String LOOPBACK = "127.0.0.1";

    private final MeshModel mesh;
    private final Flavor flavor;

    ClusterFactory(MeshModel mesh, Flavor flavor) {
        this.mesh = mesh;
        this.flavor = flavor;
    }

    /**
     * What connections to a service carry, and by which rule; of an unknown one nobody knows. Who declared it is not said here:
     * it may be another endpoint tomorrow, and what a proxy has must not change with that.
     */
    static Decision<Protocol> protocol(MeshModel mesh, String service) {
        return mesh.services()
                .find(service)
                .map(Service::protocol)
                .map(decision -> new Decision<>(
                        decision.value(),
                        decision.source().rule(),
                        Source.ofRule(decision.source().rule())))
                .orElseGet(() -> new Decision<>(
                        Protocol.DETECT, "there is no service " + service, Source.ofRule("detect by default")));
    }

    ClusterDraft service(Destination destination) {
        Decision<Protocol> protocol = protocol(mesh, destination.service());
        Cluster.Builder cluster = Cluster.newBuilder()
                .setName(destination.clusterName())
                .setMetadata(
                        Protos.extras(Map.of("protocol", protocol.value().toString(), "because", protocol.because())));
        Service service = mesh.services().get(destination.service());
        ExternalService external = service == null ? null : service.external();
        if (external != null) {
            external(external, cluster);
        } else {
            cluster.setType(Cluster.DiscoveryType.EDS)
                    .getEdsClusterConfigBuilder()
                    .setEdsConfig(ads())
                    .setServiceName(destination.clusterName());
            if (service != null && mesh.authority().isPresent()) {
                mutualTls(service, destination, cluster);
            }
        }
        return new ClusterDraft(destination, protocol.value(), cluster);
    }

    private void mutualTls(Service service, Destination destination, Cluster.Builder cluster) {
        Set<String> identities = new TreeSet<>();
        boolean plain = false;
        for (Endpoint endpoint : service.endpoints().values()) {
            if (endpoint.identity() == null) {
                plain = true;
            } else {
                identities.add(endpoint.identity());
            }
        }
        if (identities.isEmpty()) {
            return;
        }
        TransportSocket tls =
                TlsContexts.upstream(identities, Identities.serverName(mesh.name(), destination.service()), flavor);
        if (!plain || flavor == Flavor.GRPC) {
            cluster.setTransportSocket(tls);
            return;
        }
        if (flavor == Flavor.PARLEY) {
            // Each endpoint says for itself who it is, and that it is no one.
            return;
        }
        cluster.addTransportSocketMatches(TransportSocketMatch.newBuilder()
                        .setName("mesh")
                        .setMatch(Protos.struct(MESHED))
                        .setTransportSocket(tls))
                .addTransportSocketMatches(TransportSocketMatch.newBuilder()
                        .setName("plain")
                        .setTransportSocket(TransportSocket.newBuilder()
                                .setName("envoy.transport_sockets.raw_buffer")
                                .setTypedConfig(any(RawBuffer.getDefaultInstance()))));
    }

    private static void external(ExternalService external, Cluster.Builder cluster) {
        boolean number = external.host().matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
        cluster.setType(number ? Cluster.DiscoveryType.STATIC : Cluster.DiscoveryType.STRICT_DNS);
        single(cluster, external.host(), external.port());
        if (external.tls() != null) {
            cluster.setTransportSocket(TlsContexts.external(external, external.tls()));
        }
    }

    /** The workload's port behind an inbound. */
    static ClusterDraft application(Inbound inbound, Protocol protocol) {
        Cluster.Builder cluster =
                Cluster.newBuilder().setName(applicationName(inbound)).setType(Cluster.DiscoveryType.STATIC);
        String own = inbound.serviceAddress();
        single(cluster, own == null ? LOOPBACK : own, Dataplane.servicePort(inbound));
        return new ClusterDraft(new Destination("", Map.of(), false), protocol, cluster);
    }

    static String applicationName(Inbound inbound) {
        String own = inbound.serviceAddress();
        return "app:" + (own == null ? "" : own + ":") + Dataplane.servicePort(inbound);
    }

    /** Wherever the connection was going before it was intercepted. */
    static Cluster pass() {
        return Cluster.newBuilder()
                .setName(PASS)
                .setType(Cluster.DiscoveryType.ORIGINAL_DST)
                .setLbPolicy(Cluster.LbPolicy.CLUSTER_PROVIDED)
                .setConnectTimeout(Protos.duration(java.time.Duration.ofSeconds(5)))
                .build();
    }

    private static void single(Cluster.Builder cluster, String host, int port) {
        var assignment = cluster.getLoadAssignmentBuilder().setClusterName(cluster.getName());
        assignment
                .addEndpointsBuilder()
                .addLbEndpointsBuilder()
                .getEndpointBuilder()
                .setAddress(Protos.address(host, port));
    }

    static List<String> applicationProtocols(Protocol protocol) {
        return protocol.isHttp() || protocol == Protocol.DETECT ? List.of("h2", "http/1.1") : List.of();
    }
}
