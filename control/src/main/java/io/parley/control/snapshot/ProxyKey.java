package io.parley.control.snapshot;

import io.parley.control.draft.Flavor;

/**
 * Whose snapshot is meant.
 *
 * @param mesh empty for a zone ingress or egress
 * @param name of the Dataplane, ZoneIngress or ZoneEgress
 */
public record ProxyKey(String mesh, String name, Flavor flavor) {
    /** One of our own proxies. */
    public ProxyKey(String mesh, String name) {
        this(mesh, name, Flavor.PARLEY);
    }

    @Override
    public String toString() {
        return (mesh.isEmpty() ? name : mesh + "/" + name)
                + (flavor == Flavor.PARLEY ? "" : " (" + flavor.name().toLowerCase(java.util.Locale.ROOT) + ")");
    }
}
