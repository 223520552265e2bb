package io.parley.proxy.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.http2.FrameBudget.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How many frames of a kind may come. */
class FrameBudgetTest {
    private long now;
    private final FrameBudget budget = new FrameBudget(() -> now);

    /** How many of a kind there are before there are too many, of 10,000 at most. */
    private int allowed(Kind kind) {
        for (int i = 0; i < 10_000; i++) {
            try {
                budget.spend(kind);
            } catch (Http2Fault _) {
                return i;
            }
        }
        return 10_000;
    }

    @Test
    void eachKindHasAnAllowanceOfItsOwn() {
        assertThat(allowed(Kind.PING)).isEqualTo(200);
        assertThat(allowed(Kind.SETTINGS)).isEqualTo(100);
        assertThat(allowed(Kind.WINDOW_UPDATE)).isEqualTo(500);
    }

    @Test
    void windowsMayBeToldOfForWhatWasSent() {
        budget.streamOpened();
        for (int i = 0; i < 100; i++) {
            budget.dataSent();
        }
        assertThat(allowed(Kind.WINDOW_UPDATE)).isEqualTo(500 + 4 + 100 * 10);
    }

    @Test
    void pingsMayComeWithContentOfEitherSide() {
        budget.dataSent();
        budget.carried();
        assertThat(allowed(Kind.PING)).isEqualTo(202);
        assertThat(budget.messages()).isEqualTo(1);
    }

    @Test
    void aServerMayResetAsMuchAsItWasAskedFor() {
        for (int i = 0; i < 1_000; i++) {
            budget.streamBegun();
        }
        assertThat(allowed(Kind.RESET)).isEqualTo(1_200);
        assertThat(allowed(Kind.MADE_RESET)).isEqualTo(1_200);
    }

    @Test
    void whatIsLongAgoCountsNoMore() {
        assertThat(allowed(Kind.PING)).isEqualTo(200);
        now += Duration.ofSeconds(31).toNanos();
        assertThat(allowed(Kind.PING)).isEqualTo(201);
        assertThat(allowed(Kind.PING)).isZero();
    }
}
