package io.parley.proxy.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** How long is waited before something is tried again. */
class BackoffTest {
    private static final Duration BASE = Duration.ofMillis(25);
    private static final Duration LONGEST = Duration.ofMillis(250);
    private static final double ALMOST = Math.nextDown(1.0);

    private static long most(int attempt) {
        return Backoff.before(attempt, BASE, LONGEST, ALMOST).toMillis();
    }

    @Test
    void doublesUpToTheLongest() {
        List<Long> waits = new ArrayList<>();
        for (int attempt = 1; attempt <= 5; attempt++) {
            waits.add(most(attempt) + 1);
        }
        assertThat(waits).containsExactly(50L, 100L, 200L, 250L, 250L);
        assertThat(Backoff.before(5, BASE, LONGEST, 0)).isEqualTo(BASE);
    }

    @Test
    void isTheLongestIfTheBaseIsAboveIt() {
        assertThat(Backoff.before(1, LONGEST, BASE, 0.5)).isEqualTo(BASE);
    }

    /** What is doubled often enough would be less than nothing. */
    @Test
    void staysWithinItsBoundsHoweverOftenItDoubles() {
        Duration day = Duration.ofDays(1);
        Duration week = Duration.ofDays(7);
        for (int attempt : new int[] {1, 3, 20, 21, 63, 64, Integer.MAX_VALUE}) {
            assertThat(Backoff.before(attempt, day, week, 0.5)).isBetween(day, week);
        }
        assertThat(Backoff.before(Integer.MAX_VALUE, BASE, LONGEST, 1)).isEqualTo(LONGEST);
    }

    /** Many who failed together come back one by one, the first time already. */
    @Test
    void isByLot() {
        long seed = System.nanoTime();
        RandomGenerator chance = new SplittableRandom(seed);
        int rounds = 1_000;
        for (int attempt = 1; attempt <= 4; attempt++) {
            long early = 0;
            long middle = (BASE.toNanos() + Math.min(LONGEST.toNanos(), BASE.toNanos() << attempt)) / 2;
            for (int i = 0; i < rounds; i++) {
                Duration wait = Backoff.before(attempt, BASE, LONGEST, chance.nextDouble());
                assertThat(wait).as("seed %d", seed).isBetween(BASE, LONGEST);
                early += wait.toNanos() < middle ? 1 : 0;
            }
            assertThat(early).as("attempt %d, seed %d", attempt, seed).isBetween(400L, 600L);
        }
    }
}
