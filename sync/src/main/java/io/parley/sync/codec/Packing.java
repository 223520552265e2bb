package io.parley.sync.codec;

import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.kind.Kind;
import io.parley.xds.server.snapshot.EncodedResource;
import java.util.Optional;

/** Puts a resource, under the name that the peer is to see, into what a stream sends. */
final class Packing {
    private Packing() {}

    static Optional<EncodedResource> pack(Kind kind, Resource resource, String name, Encoding.Specs specs) {
        ResourceKey key = new ResourceKey(kind.id(), resource.key().space(), name);
        Resource named = new Resource(
                key, resource.form(), resource.labels(), resource.annotations(), resource.spec(), resource.status());
        return ResourceCodec.encode(kind, named, specs)
                .map(message -> EncodedResource.of(new WireName(key.name(), key.space()).toString(), message));
    }
}
