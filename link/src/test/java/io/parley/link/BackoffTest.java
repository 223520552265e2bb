package io.parley.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void reconnectsWaitBetweenHalfASecondAndThirtyHoweverOftenTheyFail() {
        var random = new SplittableRandom(1);
        for (int failures = 1; failures < 200; failures++) {
            assertThat(Backoff.RECONNECT.after(failures, random))
                    .isBetween(Duration.ofMillis(500), Duration.ofSeconds(30));
        }
    }

    @Test
    void theFirstRetryComesSoonAndLaterOnesSpread() {
        var random = new SplittableRandom(2);
        Duration longestFirst = Duration.ZERO;
        Duration longestTenth = Duration.ZERO;
        Set<Duration> tenths = new HashSet<>();
        for (int node = 0; node < 500; node++) {
            Duration first = Backoff.RECONNECT.after(1, random);
            Duration tenth = Backoff.RECONNECT.after(10, random);
            longestFirst = first.compareTo(longestFirst) > 0 ? first : longestFirst;
            longestTenth = tenth.compareTo(longestTenth) > 0 ? tenth : longestTenth;
            tenths.add(tenth);
        }
        assertThat(longestFirst).isLessThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(longestTenth).isGreaterThan(Duration.ofSeconds(25));
        assertThat(tenths).hasSizeGreaterThan(450);
    }
}
