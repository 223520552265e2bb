package io.parley.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.exchange.Overload.Level;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OverloadTest {
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(100);

    private double used;
    private double afterCollection;
    private int collections;
    private long now;
    private final Overload overload = new Overload(() -> used, this::collect, 0);

    private void collect() {
        collections++;
        used = afterCollection;
    }

    private Level look(double share, double left) {
        used = share;
        afterCollection = left;
        now += STEP;
        overload.look(now);
        return overload.level();
    }

    @Test
    void refusesWhenTheMemoryIsAsGoodAsUsedUpAndTakesMoreWhenItIsNot() {
        assertThat(look(0.94, 0.94)).isEqualTo(Level.FINE);
        assertThat(look(0.95, 0.95)).isEqualTo(Level.SHRINK);
        assertThat(look(0.99, 0.99)).isEqualTo(Level.REFUSE);
        assertThat(look(0.5, 0.5)).isEqualTo(Level.FINE);
    }

    @Test
    void aHeapThatCanBeCollectedIsNotFull() {
        assertThat(look(0.99, 0.3)).isEqualTo(Level.FINE);
    }

    @Test
    void isNotCollectedAllTheTime() {
        for (int i = 0; i < 100; i++) {
            assertThat(look(0.99, 0.99)).isEqualTo(Level.REFUSE);
        }
        assertThat(collections).isEqualTo(2);
    }

    @Test
    void refusesWhenTooManyRequestsAreUnderWay() {
        overload.moved(Overload.MOST_IN_FLIGHT);
        assertThat(look(0, 0)).isEqualTo(Level.REFUSE);
        overload.moved(-1);
        assertThat(look(0, 0)).isEqualTo(Level.FINE);
    }
}
