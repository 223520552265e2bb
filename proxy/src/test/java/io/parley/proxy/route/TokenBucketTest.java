package io.parley.proxy.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.RateLimit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenBucketTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private static TokenBucket bucket(int requests, Duration interval, long now) {
        return new TokenBucket(new RateLimit(requests, interval, 429, FieldEdits.NONE), now);
    }

    /** How many can be taken at once. */
    private static int taken(TokenBucket bucket, long now, int most) {
        int taken = 0;
        while (taken < most && bucket.take(now)) {
            taken++;
        }
        return taken;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 100})
    void hasAsManyAtOnceAsInATimeAndIsFilledBitByBit(int requests) {
        TokenBucket bucket = bucket(requests, Duration.ofSeconds(1), 5);
        assertThat(taken(bucket, 5, 1_000)).isEqualTo(requests);
        assertThat(taken(bucket, 5 + SECOND / requests, 1_000)).isEqualTo(1);
        assertThat(taken(bucket, 5 + 10 * SECOND, 1_000)).isEqualTo(requests);
    }

    /** Clocks of a machine may begin anywhere. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MIN_VALUE / 2, Long.MAX_VALUE / 2 + 5})
    void oneOfNothingIsAlwaysEmpty(long now) {
        TokenBucket bucket = bucket(0, Duration.ofSeconds(1), now);
        assertThat(bucket.take(now)).isFalse();
        assertThat(bucket.take(now + 1_000 * SECOND)).isFalse();
    }

    @Test
    void timesBeyondAllClocksAreForEver() {
        TokenBucket bucket = bucket(2, Duration.ofDays(1_000_000), 5);
        assertThat(taken(bucket, 5, 10)).isEqualTo(1);
        assertThat(bucket.take(5 + Duration.ofDays(3_650).toNanos())).isFalse();
    }

    @Test
    void manyAreNoMoreThanTheClockCanTell() {
        TokenBucket bucket = bucket(Integer.MAX_VALUE, Duration.ofSeconds(1), 5);
        assertThat(taken(bucket, 5, 100_000)).isEqualTo(100_000);
    }
}
