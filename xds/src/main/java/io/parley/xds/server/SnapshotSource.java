package io.parley.xds.server;

import io.parley.xds.server.snapshot.LiveSnapshot;

/** Decides what a node is served. Called once per stream, on its thread: must not block. */
@FunctionalInterface
public interface SnapshotSource {
    Admission admit(NodeIdentity node);

    /** What becomes of a stream. */
    sealed interface Admission {
        /** It is served from this cell, which may be one of many nodes' and may still be without a snapshot. */
        record Serve(LiveSnapshot snapshot) implements Admission {}

        /** It is closed with {@code PERMISSION_DENIED} and this reason. */
        record Refuse(String because) implements Admission {}
    }
}
