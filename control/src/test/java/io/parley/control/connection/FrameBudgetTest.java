package io.parley.control.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.control.connection.FrameBudget.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FrameBudgetTest {
    private long now;
    private final FrameBudget budget = new FrameBudget(() -> now);

    @Test
    void allowsNoMoreThanSoManyInHalfAMinute() {
        spend(Kind.SETTINGS, 100);

        assertThat(budget.allows(Kind.SETTINGS)).isFalse();
    }

    @Test
    void eachKindCountsForItself() {
        spend(Kind.SETTINGS, 100);

        spend(Kind.MADE_RESET, 200);
    }

    @Test
    void beginsAnewAfterHalfAMinute() {
        spend(Kind.PING, 200);
        now += Duration.ofSeconds(31).toNanos();

        spend(Kind.PING, 200);
    }

    @Test
    void contentMayBeMeasuredWithPings() {
        for (int i = 0; i < 50; i++) {
            budget.carried();
        }
        spend(Kind.PING, 250);

        assertThat(budget.allows(Kind.PING)).isFalse();
    }

    private void spend(Kind kind, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(budget.allows(kind)).as("number %d", i).isTrue();
        }
    }
}
