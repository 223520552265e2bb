package io.parley.control.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OncePerMinuteTest {
    private long now = Long.MAX_VALUE - 5;
    private final OncePerMinute once = new OncePerMinute(() -> now);

    @Test
    void tellsEachKindOnceAMinute() {
        assertThat(once.mayTell("ping-flood")).isTrue();
        assertThat(once.mayTell("ping-flood")).isFalse();
        assertThat(once.mayTell("made-reset")).isTrue();
        now += Duration.ofMinutes(1).toNanos();
        assertThat(once.mayTell("ping-flood")).isTrue();
        assertThat(once.mayTell("ping-flood")).isFalse();
    }
}
