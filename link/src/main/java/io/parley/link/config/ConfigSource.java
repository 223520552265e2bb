package io.parley.link.config;

import io.parley.link.server.NodeLink;
import java.util.function.Consumer;

/** Where the configuration of nodes comes from, resource by resource. */
public interface ConfigSource {
    /** Tells the whole state of one type: now or soon, and again after each change. The consumer may be called from any thread. */
    Watch watch(NodeLink node, String typeUrl, Consumer<ResourceState> state);
}
