package io.parley.proxy.tls;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The handshakes that began with one certificate and are under way. */
final class Handshakes {
    private int underWay;
    private @Nullable CompletableFuture<Void> over;

    synchronized void begin() {
        underWay++;
    }

    void end() {
        CompletableFuture<Void> last;
        synchronized (this) {
            underWay--;
            last = underWay == 0 ? over : null;
        }
        if (last != null) {
            last.complete(null);
        }
    }

    /** Done when none is under way. To be asked when no other can begin. */
    synchronized CompletableFuture<Void> over() {
        if (underWay == 0) {
            return CompletableFuture.completedFuture(null);
        }
        if (over == null) {
            over = new CompletableFuture<>();
        }
        return over;
    }
}
