package io.parley.control.model;

import java.util.List;

/** Something that configurations depend on, and that a change may touch. */
public sealed interface Subject {
    /** The mesh's own settings, its gateways, names and ways to other zones. */
    record MeshSettings(String mesh) implements Subject {}

    /** A proxy's declaration. */
    record DataplaneOf(String mesh, String name) implements Subject {}

    /** That a service exists, its protocol, and how it is reached. */
    record ServiceShape(String mesh, String service) implements Subject {}

    /** The endpoints of a service. */
    record ServiceEndpoints(String mesh, String service) implements Subject {}

    /** The host names of a mesh's services. */
    record HostNames(String mesh) implements Subject {}

    /**
     * A policy.
     *
     * @param versions as it was and as it is, if it was and is there: whoever either of them selects is touched
     */
    record PolicyOf(String mesh, List<Policy> versions) implements Subject {}

    /** The ingresses and egresses of zones themselves; what they offer is told as services. */
    record ZoneProxies() implements Subject {}

    /** The egress by which traffic leaves this zone. */
    record WayOut() implements Subject {}
}
