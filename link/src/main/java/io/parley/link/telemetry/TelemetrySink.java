package io.parley.link.telemetry;

import io.parley.link.server.NodeLink;

/** Where reports of nodes go. Called on event loops: must not block. */
@FunctionalInterface
public interface TelemetrySink {
    void report(NodeLink node, NodeReport report);
}
