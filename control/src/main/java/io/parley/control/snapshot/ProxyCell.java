package io.parley.control.snapshot;

import io.parley.xds.server.snapshot.LiveSnapshot;
import org.jspecify.annotations.Nullable;

/** What one proxy has, and what that was made from. */
final class ProxyCell {
    private final ProxyKey key;
    private final LiveSnapshot live = new LiveSnapshot();
    private @Nullable Built built;

    ProxyCell(ProxyKey key) {
        this.key = key;
    }

    ProxyKey key() {
        return key;
    }

    LiveSnapshot live() {
        return live;
    }

    @Nullable
    Built built() {
        return built;
    }

    void built(@Nullable Built newest) {
        built = newest;
    }
}
