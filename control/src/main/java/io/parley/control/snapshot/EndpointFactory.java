package io.parley.control.snapshot;

import static io.parley.control.draft.Protos.address;
import static io.parley.control.draft.Protos.number;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.HealthStatus;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.core.v3.Metadata;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.parley.control.draft.Protos;
import io.parley.control.model.Endpoint;
import io.parley.control.model.Identities;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Service;
import io.parley.control.policy.Destination;
import io.parley.resource.mesh.ZoneEgressSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Where a destination is, as seen from a zone. */
final class EndpointFactory {
    private EndpointFactory() {}

    /**
     * Makes the assignment of a cluster.
     *
     * @param zone of whoever asks; null if it has none
     */
    static ClusterLoadAssignment of(Model model, MeshModel mesh, Built.Assigned assigned, @Nullable String zone) {
        Destination destination = assigned.destination();
        ClusterLoadAssignment.Builder assignment =
                ClusterLoadAssignment.newBuilder().setClusterName(assigned.clusterName());
        Map<String, List<Endpoint>> byZone = new TreeMap<>();
        boolean encrypted = mesh.authority().isPresent();
        for (Endpoint endpoint : mesh.services()
                .find(destination.service())
                .map(service -> service.endpoints(destination.tags()))
                .orElse(List.of())) {
            // Another zone's ingress passes connections on by the name asked for in TLS; without TLS there is no way.
            boolean reached = encrypted || endpoint.kind() != Endpoint.Kind.OTHER_ZONE;
            if (reached && isReached(endpoint, assigned.reach())) {
                byZone.computeIfAbsent(endpoint.zone() == null ? "" : endpoint.zone(), _ -> new ArrayList<>())
                        .add(endpoint);
            }
        }
        boolean nearFirst = mesh.spec().routing().localityAwareLoadBalancing() && zone != null;
        boolean hasNear = byZone.containsKey(zone == null ? "" : zone);
        byZone.forEach((place, endpoints) -> assignment.addEndpoints(locality(
                place,
                endpoints,
                nearFirst && hasNear && !place.equals(zone) ? 1 : 0,
                new Context(model, mesh, assigned.reach()))));
        return assignment.build();
    }

    private record Context(Model model, MeshModel mesh, Built.Reach reach) {
        /** Traffic to other zones may have to leave through this zone's egress. */
        Optional<ZoneEgressSpec> egress() {
            return reach == Built.Reach.ALL ? model.wayOut(mesh) : Optional.empty();
        }
    }

    private static LocalityLbEndpoints locality(String zone, List<Endpoint> endpoints, int priority, Context context) {
        LocalityLbEndpoints.Builder locality = LocalityLbEndpoints.newBuilder().setPriority(priority);
        int weight = endpoints.stream().mapToInt(Endpoint::weight).sum();
        locality.setLoadBalancingWeight(number(weight));
        // Also where no zone is known: gRPC's clients reject endpoints that have no locality, an empty one will do.
        locality.setLocality(Locality.newBuilder().setZone(zone));
        endpoints.forEach(endpoint -> locality.addLbEndpoints(endpoint(endpoint, context)));
        return locality.build();
    }

    private static LbEndpoint endpoint(Endpoint endpoint, Context context) {
        Optional<ZoneEgressSpec> egress =
                endpoint.kind() == Endpoint.Kind.OTHER_ZONE ? context.egress() : Optional.empty();
        LbEndpoint.Builder built = LbEndpoint.newBuilder()
                .setHealthStatus(endpoint.healthy() ? HealthStatus.HEALTHY : HealthStatus.UNHEALTHY)
                .setLoadBalancingWeight(number(endpoint.weight()));
        // What goes between zones is encrypted already, and for somebody else.
        if (context.reach() == Built.Reach.ALL) {
            built.setMetadata(metadata(endpoint, context.mesh()));
        }
        String host = egress.map(ZoneEgressSpec::address).orElse(endpoint.address());
        int port = egress.map(ZoneEgressSpec::port).orElse(dialled(endpoint, context.reach()));
        built.getEndpointBuilder().setAddress(address(host, port));
        return built.build();
    }

    private static int dialled(Endpoint endpoint, Built.Reach reach) {
        Integer meshPort = endpoint.meshPort();
        boolean proxy = endpoint.kind() == Endpoint.Kind.OTHER_ZONE || reach == Built.Reach.THIS_ZONE_BY_HEADER;
        return proxy && meshPort != null ? meshPort : endpoint.port();
    }

    private static Metadata metadata(Endpoint endpoint, MeshModel mesh) {
        Map<String, String> extras = new TreeMap<>();
        extras.put("hint", endpoint.protocol().value().toString());
        extras.put("because", endpoint.protocol().because());
        Metadata.Builder metadata = Metadata.newBuilder();
        metadata.putFilterMetadata("envoy.lb", Protos.struct(endpoint.tags()));
        boolean encrypted = mesh.authority().isPresent();
        if (encrypted && endpoint.identity() != null) {
            extras.put("identity", endpoint.identity());
            extras.put("server_name", Identities.serverName(mesh.name(), service(endpoint)));
            metadata.putFilterMetadata("envoy.transport_socket_match", Protos.struct(ClusterFactory.MESHED));
        }
        Struct.Builder struct = Protos.struct(extras).toBuilder();
        if (encrypted && endpoint.identity() != null && endpoint.meshPort() != null) {
            // An ingress's address is its own; what is behind it is told apart by the header.
            boolean behind = endpoint.kind() == Endpoint.Kind.OTHER_ZONE;
            struct.putFields(
                    behind ? "target_port" : "inbound_port",
                    Value.newBuilder()
                            .setNumberValue(behind ? endpoint.port() : endpoint.meshPort())
                            .build());
            struct.putFields("magic", Protos.text("v1"));
        }
        return metadata.putFilterMetadata(Protos.EXTRAS, struct.build()).build();
    }

    private static String service(Endpoint endpoint) {
        return endpoint.tags().getOrDefault(io.parley.control.model.Names.SERVICE, "");
    }

    static boolean isReached(Endpoint endpoint, Built.Reach reach) {
        return switch (reach) {
            case ALL -> true;
            case THIS_ZONE, THIS_ZONE_BY_HEADER -> endpoint.kind() == Endpoint.Kind.SIDECAR;
            case OTHER_ZONES -> endpoint.kind() == Endpoint.Kind.OTHER_ZONE;
        };
    }

    /** Whether a cluster of this destination takes its endpoints from here. */
    static boolean isAssigned(MeshModel mesh, Destination destination) {
        Service service = mesh.services().get(destination.service());
        return service == null || !service.isExternal();
    }
}
