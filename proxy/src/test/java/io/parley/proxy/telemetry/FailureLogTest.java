package io.parley.proxy.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.Logged;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailureLogTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final Logged logged = Logged.by(FailureLog.class);
    private final FailureLog log = new FailureLog("requests to", "fail");

    @AfterEach
    void stop() {
        logged.close();
    }

    @Test
    void tellsTheWholeOnceAMinuteHoweverManyEndpointsFail() {
        log.note("cart", "unreachable", "10.0.0.7:80: refused", 5);
        log.note("cart", "unreachable", "10.0.0.8:80: refused", 6);
        log.note("cart", "unreachable", "10.0.0.7:80: refused", 7);

        assertThat(logged.lines())
                .containsExactly("requests to cart fail: 10.0.0.7:80: refused (unreachable, 1 times)");

        log.note("cart", "unreachable", "10.0.0.8:80: refused", 5 + MINUTE);

        assertThat(logged.lines())
                .last()
                .isEqualTo("requests to cart fail: 10.0.0.8:80: refused (unreachable, 3 times)");
    }

    @Test
    void tellsWhatIsNewHoweverMuchItWasToldBefore() {
        for (int i = 0; i < 2_000; i++) {
            log.note("target " + i, "unreachable", "a", i);
        }
        assertThat(logged.lines()).hasSize(2_000);
    }

    @Test
    void tellsEachCauseOfEachTarget() {
        log.note("cart", "unreachable", "a", 0);
        log.note("cart", "timeout", "b", 0);
        log.note("stock", "timeout", "c", 0);

        assertThat(logged.lines()).hasSize(3);
    }
}
