package io.parley.proxy.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.config.ListenerConfig.Limits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectionRateTest {
    private final ConnectionRate rate = new ConnectionRate(0);

    @Test
    void aBurstIsLetInAndThenAnEvenFlow() {
        Limits limits = new Limits(1, Duration.ofMillis(100), 5);
        assertThat(admitted(limits, 0, 20)).isEqualTo(5);
        assertThat(admitted(limits, Duration.ofMillis(100).toNanos(), 20)).isEqualTo(1);
        assertThat(admitted(limits, Duration.ofSeconds(10).toNanos(), 20)).isEqualTo(5);
    }

    @Test
    void aRateMayBeLessThanOneInASecond() {
        Limits limits = new Limits(1, Duration.ofMinutes(10), 1);
        assertThat(admitted(limits, 0, 5)).isEqualTo(1);
        assertThat(admitted(limits, Duration.ofMinutes(9).toNanos(), 5)).isZero();
        assertThat(admitted(limits, Duration.ofMinutes(11).toNanos(), 5)).isEqualTo(1);
    }

    @Test
    void zeroIsNoLimit() {
        assertThat(admitted(Limits.DEFAULT, 0, 1_000)).isEqualTo(1_000);
    }

    private int admitted(Limits limits, long now, int attempts) {
        int admitted = 0;
        for (int i = 0; i < attempts; i++) {
            admitted += rate.admit(limits, now) ? 1 : 0;
        }
        return admitted;
    }
}
