package io.parley.control.snapshot;

import io.parley.control.draft.Assembled;
import io.parley.control.model.ExternalService;
import io.parley.control.policy.Destination;
import java.util.List;
import java.util.Set;

/**
 * What was made for one proxy, and what that rests on.
 *
 * @param destinations whose endpoints it needs besides
 * @param services whose shape it was made from
 * @param outside what is outside the mesh, and whose certificates and keys it needs
 * @param wholeMesh whether it looked at all of the mesh
 * @param hostNames whether it has outbounds for the host names of the mesh
 */
record Built(
        Assembled assembled,
        List<Assigned> destinations,
        Set<ServiceName> services,
        List<ExternalService> outside,
        boolean wholeMesh,
        boolean hostNames) {
    /** A service of a mesh. */
    record ServiceName(String mesh, String service) {}

    /** Which endpoints of a service. */
    enum Reach {
        ALL,
        /** Those with a proxy in this zone, at their ports: what an ingress passes connections on to. */
        THIS_ZONE,
        /** The same, at the proxies' own ports, where connection headers are read. */
        THIS_ZONE_BY_HEADER,
        /** The ingresses of other zones: what an egress passes them on to. */
        OTHER_ZONES
    }

    /** The endpoints of one cluster. */
    record Assigned(String mesh, Destination destination, String clusterName, Reach reach) {
        ServiceName service() {
            return new ServiceName(mesh, destination.service());
        }
    }

    Built {
        destinations = List.copyOf(destinations);
        services = Set.copyOf(services);
        outside = List.copyOf(outside);
    }
}
