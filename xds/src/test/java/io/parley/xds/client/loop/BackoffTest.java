package io.parley.xds.client.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final RandomGenerator MIDDLE = () -> Long.MIN_VALUE;
    private static final RandomGenerator LOWEST = () -> 0;

    @Test
    void growsUpToALimit() {
        assertThat(Backoff.DEFAULT.after(0, MIDDLE)).isEqualTo(Duration.ofSeconds(1));
        assertThat(Backoff.DEFAULT.after(1, MIDDLE)).isEqualTo(Duration.ofSeconds(1));
        assertThat(Backoff.DEFAULT.after(3, MIDDLE)).isEqualTo(Duration.ofMillis(2560));
        assertThat(Backoff.DEFAULT.after(12, MIDDLE)).isEqualTo(Duration.ofMinutes(2));
        assertThat(Backoff.DEFAULT.after(Integer.MAX_VALUE, MIDDLE)).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void isSpreadByAFifth() {
        assertThat(Backoff.DEFAULT.after(1, LOWEST)).isEqualTo(Duration.ofMillis(800));
        RandomGenerator random = new SplittableRandom(7);
        for (int i = 0; i < 1000; i++) {
            assertThat(Backoff.DEFAULT.after(1, random)).isBetween(Duration.ofMillis(800), Duration.ofMillis(1200));
        }
    }

    @Test
    void countsTheTimeThatTheAttemptLasted() {
        assertThat(Backoff.DEFAULT.after(3, Duration.ofSeconds(2), MIDDLE)).isEqualTo(Duration.ofMillis(560));
        assertThat(Backoff.DEFAULT.after(3, Duration.ofHours(1), MIDDLE)).isEqualTo(Duration.ZERO);
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, Duration.ofSeconds(1), 2, 0))
                .hasMessageContaining("expected: 0 < initial");
        assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 2, 1))
                .hasMessageContaining("jitter < 1");
    }
}
