package io.parley.link.server;

import io.parley.agreement.version.OfferedVersion;
import io.parley.link.ServiceHandler;

/**
 * One version of one service that a control plane serves, and who serves it.
 *
 * @param name what nodes ask for
 * @param serviceId what calls to it carry
 * @param opener called once for each connection that agreed to this version
 */
public record ServiceBinding(String name, OfferedVersion version, int serviceId, Opener opener) {
    /** Begins to serve one node. Must not call the node before the node has called: it does not have its answer yet. */
    @FunctionalInterface
    public interface Opener {
        ServiceHandler open(NodeLink link);
    }
}
