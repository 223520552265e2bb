package io.parley.control.serve;

import io.parley.control.node.NodeKey;
import io.parley.xds.server.snapshot.LiveSnapshot;

/** What each data plane is to have. The cell of one that has no resource yet stays without a snapshot. Must not block. */
@FunctionalInterface
public interface NodeSnapshots {
    LiveSnapshot of(NodeKey node);
}
