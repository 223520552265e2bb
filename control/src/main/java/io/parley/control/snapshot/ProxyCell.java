package io.parley.control.snapshot;

import io.parley.xds.server.snapshot.LiveSnapshot;
import org.jspecify.annotations.Nullable;

/** What one proxy has, and what that was made from. */
final class ProxyCell {
    private final ProxyKey key;
    private final LiveSnapshot live = new LiveSnapshot();
    private @Nullable Built built;
    private volatile long usedAt;

    ProxyCell(ProxyKey key) {
        this.key = key;
    }

    ProxyKey key() {
        return key;
    }

    LiveSnapshot live() {
        return live;
    }

    /** When somebody was last known to want it. */
    long usedAt() {
        return usedAt;
    }

    void usedAt(long now) {
        usedAt = now;
    }

    @Nullable
    Built built() {
        return built;
    }

    void built(@Nullable Built newest) {
        built = newest;
    }
}
