package io.parley.link.config;

import io.parley.link.server.NodeLink;
import java.util.function.Consumer;

/** Where the configuration of nodes comes from that take it whole. */
public interface WorldSource {
    /** Tells the whole configuration: now or soon, and again after each change. The consumer may be called from any thread. */
    Watch watch(NodeLink node, Consumer<World> world);
}
