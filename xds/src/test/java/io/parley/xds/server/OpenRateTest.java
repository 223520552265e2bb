package io.parley.xds.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OpenRateTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void admitsABurstAndThenAtItsRate() {
        OpenRate rate = new OpenRate(10, 5, 0);
        for (int i = 0; i < 5; i++) {
            assertThat(rate.admit(0)).isZero();
        }
        assertThat(rate.admit(0)).isEqualTo(Duration.ofMillis(100));
        assertThat(rate.admit(SECOND / 10)).isZero();
        assertThat(rate.admit(SECOND / 10)).isPositive();
    }

    @Test
    void aQuietTimeFillsTheBurstAgainAndNoMore() {
        OpenRate rate = new OpenRate(10, 5, 0);
        int admitted = 0;
        for (int i = 0; i < 100; i++) {
            admitted += rate.admit(3600 * SECOND).isZero() ? 1 : 0;
        }
        assertThat(admitted).isEqualTo(5);
    }
}
