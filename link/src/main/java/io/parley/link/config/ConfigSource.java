package io.parley.link.config;

import io.parley.link.server.NodeLink;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Where the configuration of nodes comes from, resource by resource. */
public interface ConfigSource {
    /**
     * Tells the whole state of each of the types: of all, now or soon, then of those that changed, in one call if they changed together.
     * The consumer may be called from any thread, one call at a time.
     */
    Watch watch(NodeLink node, List<String> typeUrls, Consumer<Map<String, ResourceState>> states);
}
