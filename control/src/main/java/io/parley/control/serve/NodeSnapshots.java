package io.parley.control.serve;

import io.parley.control.draft.Flavor;
import io.parley.control.node.NodeKey;
import io.parley.xds.server.snapshot.LiveSnapshot;

/** What each data plane is to have, in the words of the program that it is. The cell of one that has no resource yet stays without a snapshot. Must not block. */
@FunctionalInterface
public interface NodeSnapshots {
    LiveSnapshot of(NodeKey node, Flavor flavor);
}
