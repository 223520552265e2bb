package io.parley.sync.codec;

import io.parley.resource.Resource;
import io.parley.resource.kind.Kind;
import io.parley.xds.server.snapshot.EncodedResource;
import java.util.Optional;

/** What of the store goes to a peer, and how it looks there. */
@FunctionalInterface
public interface Outgoing {
    /** The resource as it is sent; nothing if it stays here. */
    Optional<EncodedResource> encode(Kind kind, Resource resource);
}
