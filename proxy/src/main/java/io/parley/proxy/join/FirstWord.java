package io.parley.proxy.join;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the first word of a control plane, and says once if it does not come: nearly always nobody has declared the proxy, and
 * a control plane that does not know it has nothing to tell it.
 */
final class FirstWord {
    private static final Logger LOG = LoggerFactory.getLogger(FirstWord.class);

    private enum State {
        AWAITED,
        MISSED,
        HEARD
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.AWAITED);
    private final ScheduledExecutorService timer;
    private final Duration patience;
    private final String resource;

    /**
     * @param resource what has to be applied for this proxy
     */
    FirstWord(ScheduledExecutorService timer, Duration patience, String resource) {
        this.timer = timer;
        this.patience = patience;
        this.resource = resource;
    }

    /** From now on it could be told. */
    void connected() {
        if (state.get() == State.AWAITED) {
            var _ = timer.schedule(this::look, patience.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        if (state.compareAndSet(State.AWAITED, State.MISSED)) {
            LOG.warn(
                    "the control plane has no configuration for this proxy (expected: {}, which has to be applied);"
                            + " waiting for it",
                    resource);
        }
    }

    void heard() {
        if (state.get() != State.HEARD && state.getAndSet(State.HEARD) == State.MISSED) {
            LOG.info("the control plane has configuration for {} now", resource);
        }
    }
}
