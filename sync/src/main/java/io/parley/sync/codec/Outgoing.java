package io.parley.sync.codec;

import io.parley.resource.Resource;
import io.parley.resource.kind.Kind;
import io.parley.xds.server.snapshot.EncodedResource;
import java.util.Optional;

/** What of the store goes to a peer, and how it looks there. */
@FunctionalInterface
public interface Outgoing {
    /** Whether the peer understands the kind as we send it. To one that does not, having none is all that may be said of it. */
    default boolean isUnderstood(Kind kind) {
        return true;
    }

    /** The resource as it is sent; nothing if it stays here. */
    Optional<EncodedResource> encode(Kind kind, Resource resource);
}
