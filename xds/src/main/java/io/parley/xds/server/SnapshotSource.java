package io.parley.xds.server;

import io.parley.xds.server.snapshot.LiveSnapshot;
import org.jspecify.annotations.Nullable;

/** Decides what a node is served. Called once per stream, on its thread: must not block. */
@FunctionalInterface
public interface SnapshotSource {
    Admission admit(NodeIdentity node);

    /** What becomes of a stream. */
    sealed interface Admission {
        /**
         * It is served from this cell, which may be one of many nodes' and may still be without a snapshot.
         *
         * @param unfilled why there may be no snapshot for long. Then this is logged after some seconds, and a client that has nothing yet
         *     is told that there is nothing, instead of waiting for its own timer; null if it is to wait for however long it takes
         */
        record Serve(LiveSnapshot snapshot, @Nullable String unfilled) implements Admission {
            public Serve(LiveSnapshot snapshot) {
                this(snapshot, null);
            }
        }

        /** It is closed with {@code PERMISSION_DENIED} and this reason. */
        record Refuse(String because) implements Admission {}
    }
}
