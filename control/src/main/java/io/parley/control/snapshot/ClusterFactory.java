package io.parley.control.snapshot;

import static io.parley.control.draft.Protos.ads;
import static io.parley.control.draft.Protos.any;
import static io.parley.control.draft.Protos.self;

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
import io.parley.control.model.Names;
import io.parley.control.model.Protocol;
import io.parley.control.model.Service;
import io.parley.control.policy.Destination;
import io.parley.resource.mesh.Inbound;
import io.parley.resource.mesh.ZoneEgressSpec;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes clusters: of services, of the workload's own ports, of everything else. */
final class ClusterFactory {
    static final String PASS = "pass";

    /** An endpoint with this mark is spoken to in the mesh's TLS, where not all of a service are. */
    static final Map<String, String> MESHED = Map.of("mesh", "true");

    private static final String LOOPBACK = "127.0.0.1";

    private final MeshModel mesh;
    private final Flavor flavor;
    private final Optional<ZoneEgressSpec> wayOut;
    private final Set<ExternalService> outside = new LinkedHashSet<>();
    private final Set<String> problems = new LinkedHashSet<>();

    /**
     * @param wayOut the egress that traffic which leaves the zone has to take; nothing if it goes by itself
     */
    ClusterFactory(MeshModel mesh, Flavor flavor, Optional<ZoneEgressSpec> wayOut) {
        this.mesh = mesh;
        this.flavor = flavor;
        this.wayOut = wayOut;
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
        Map<String, String> extras =
                new TreeMap<>(Map.of("protocol", protocol.value().toString(), "because", protocol.because()));
        Cluster.Builder cluster = Cluster.newBuilder().setName(destination.clusterName());
        Service service = mesh.services().get(destination.service());
        if (service != null && service.isExternal()) {
            List<ExternalService> meant = service.externals().stream()
                    .filter(external -> external.carries(destination.tags()))
                    .toList();
            if (meant.isEmpty()) {
                cluster.setType(Cluster.DiscoveryType.STATIC);
                problems.add("no ExternalService of " + service.name() + " carries " + destination.tags());
            } else {
                external(alike(meant), protocol.value(), cluster, extras);
            }
        } else {
            cluster.setType(Cluster.DiscoveryType.EDS)
                    .getEdsClusterConfigBuilder()
                    .setEdsConfig(ads())
                    .setServiceName(destination.clusterName());
            if (flavor == Flavor.GRPC) {
                // Others say in their bootstrap file that they report load; a gRPC program does what its cluster says.
                cluster.setLrsServer(self());
            }
            if (service != null && mesh.authority().isPresent()) {
                mutualTls(service, destination, cluster);
            }
        }
        cluster.setMetadata(Protos.extras(extras));
        return new ClusterDraft(destination, protocol.value(), cluster);
    }

    /** What is outside the mesh and was given a cluster here: the secrets of these are needed. */
    Collection<ExternalService> outside() {
        return outside;
    }

    /** What could not be done, for people. */
    Collection<String> problems() {
        return problems;
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

    /** Those of one service that are spoken to as the first is: a cluster has one manner of TLS. */
    private List<ExternalService> alike(List<ExternalService> externals) {
        ExternalService first = externals.getFirst();
        for (ExternalService other : externals) {
            if (!isAlike(first, other)) {
                problems.add("ExternalService/" + other.name() + " is not used: its TLS or server name is not that of "
                        + first.name() + ", which has the same " + Names.SERVICE + " (expected: the same for all)");
            }
        }
        return externals.stream().filter(other -> isAlike(first, other)).toList();
    }

    private static boolean isAlike(ExternalService one, ExternalService other) {
        return Objects.equals(one.tls(), other.tls()) && Objects.equals(one.serverName(), other.serverName());
    }

    /** An egress passes TLS on by the name that is asked for, so only what is spoken to in TLS can take it. */
    private void external(
            List<ExternalService> externals, Protocol protocol, Cluster.Builder cluster, Map<String, String> extras) {
        ExternalService first = externals.getFirst();
        ExternalService.Tls tls = first.tls();
        String name = first.serverName();
        if (tls == null || name == null) {
            leadOut(cluster, externals);
            return;
        }
        outside.add(first);
        extras.put("tls", "public");
        if (tls.skipHostnameVerification()) {
            extras.put("names", "any");
        }
        cluster.setTransportSocket(TlsContexts.external(first, tls, name, protocol, flavor));
        wayOut.ifPresentOrElse(
                egress -> leadOut(cluster, Objects.requireNonNull(egress.address()), egress.port()),
                () -> leadOut(cluster, externals));
    }

    private void leadOut(Cluster.Builder cluster, List<ExternalService> externals) {
        ExternalService first = externals.getFirst();
        if (flavor == Flavor.GRPC) {
            externals.stream()
                    .skip(1)
                    .forEach(other -> problems.add("ExternalService/" + other.name() + " is not used: a program without"
                            + " a proxy takes one place of a service, which is " + first.name()));
            leadOut(cluster, first.host(), first.port());
            return;
        }
        boolean numbers = externals.stream().allMatch(external -> isNumber(external.host()));
        cluster.setType(numbers ? Cluster.DiscoveryType.STATIC : Cluster.DiscoveryType.STRICT_DNS);
        externals.forEach(external -> place(cluster, external.host(), external.port()));
    }

    /** gRPC knows no clusters of fixed addresses: the one place that it takes from a cluster is a name, which a number is too. */
    private void leadOut(Cluster.Builder cluster, String host, int port) {
        outside(cluster, host, port);
        if (flavor == Flavor.GRPC) {
            cluster.setType(Cluster.DiscoveryType.LOGICAL_DNS);
        }
    }

    /** One place, by number or by name. */
    static void outside(Cluster.Builder cluster, String host, int port) {
        cluster.setType(isNumber(host) ? Cluster.DiscoveryType.STATIC : Cluster.DiscoveryType.STRICT_DNS);
        place(cluster, host, port);
    }

    static boolean isNumber(String host) {
        return host.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    }

    /** The workload's port behind an inbound. */
    static ClusterDraft application(Inbound inbound, Protocol protocol) {
        Cluster.Builder cluster =
                Cluster.newBuilder().setName(applicationName(inbound)).setType(Cluster.DiscoveryType.STATIC);
        String own = inbound.serviceAddress();
        place(cluster, own == null ? LOOPBACK : own, Dataplane.servicePort(inbound));
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

    private static void place(Cluster.Builder cluster, String host, int port) {
        var assignment = cluster.getLoadAssignmentBuilder().setClusterName(cluster.getName());
        var places = assignment.getEndpointsCount() == 0
                ? assignment.addEndpointsBuilder()
                : assignment.getEndpointsBuilder(0);
        places.addLbEndpointsBuilder().getEndpointBuilder().setAddress(Protos.address(host, port));
    }

    static List<String> applicationProtocols(Protocol protocol) {
        return protocol.isHttp() || protocol == Protocol.DETECT ? List.of("h2", "http/1.1") : List.of();
    }
}
