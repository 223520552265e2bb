package io.parley.link.config;

import io.parley.wire.wrpc.proto.VersionedResource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Where configuration goes on a node. Called on the link's event loop: must not block. */
public interface ConfigSink {
    /** The types that the node wants, each with what it holds already: name to version. */
    Map<String, Map<String, String>> held();

    /**
     * Applies a change as a whole. Completes when it is in force; fails with {@link io.parley.link.CallRefusal} if it is not, and then
     * nothing of it is.
     */
    CompletableFuture<Void> apply(Change change);

    /** What changed in one type. */
    record Change(String typeUrl, String version, List<VersionedResource> changed, List<String> removed) {
        public Change {
            changed = List.copyOf(changed);
            removed = List.copyOf(removed);
        }
    }
}
