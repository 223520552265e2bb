package io.parley.link.client;

import io.parley.link.Link;
import io.parley.link.ServiceHandler;
import java.util.function.Function;

/**
 * One version of one service that a node can use.
 *
 * @param need whether the node can do without the service
 * @param opener called once for each connection on which this version was agreed
 */
public record ClientService(
        String name, String version, int serviceId, Need need, Function<Link, ServiceHandler> opener) {
    /** What a rejection means. */
    public enum Need {
        /** The connection is of no use without it. */
        REQUIRED,
        OPTIONAL
    }
}
