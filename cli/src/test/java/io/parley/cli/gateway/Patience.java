package io.parley.cli.gateway;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/** Waits for what comes about in a moment, or much later on a busy machine. */
final class Patience {
    static final Duration LIMIT = Duration.ofSeconds(30);

    private Patience() {}

    static void until(String what, ThrowingRunnable holds) {
        Awaitility.await(what)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .pollDelay(Duration.ZERO)
                .ignoreExceptions()
                .untilAsserted(holds);
    }
}
