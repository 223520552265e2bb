package io.parley.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.http.Affinity;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions end when their time is over. */
class SessionTokenTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final Affinity.Header FIELD = new Affinity.Header("x-session");
    private static final Affinity.Session ENDLESS = new Affinity.Session(FIELD, Duration.ZERO, Duration.ZERO);
    private static final Affinity.Session LIMITED =
            new Affinity.Session(FIELD, Duration.ofHours(1), Duration.ofMinutes(10));

    private static long ago(Duration time) {
        return NOW - time.toMillis();
    }

    private static boolean holds(Duration began, Duration used) {
        SessionToken given = new SessionToken("abc", ago(began), ago(used));
        return given.equals(SessionToken.read(given.text(LIMITED), LIMITED, NOW));
    }

    @Test
    void oneThatIsUsedHoldsUntilTheLongestLife() {
        assertThat(holds(Duration.ofMinutes(59), Duration.ofMinutes(9))).isTrue();
        assertThat(holds(Duration.ofMinutes(60), Duration.ofMinutes(10))).isTrue();
        assertThat(holds(Duration.ofMinutes(61), Duration.ZERO)).isFalse();
    }

    @Test
    void oneThatIsNotUsedEndsEarlier() {
        assertThat(holds(Duration.ofMinutes(11), Duration.ofMinutes(11))).isFalse();
    }

    @Test
    void timesToComeAreNoTimes() {
        assertThat(holds(Duration.ofSeconds(-30), Duration.ofSeconds(-30)))
                .as("another proxy's clock")
                .isTrue();
        assertThat(holds(Duration.ofDays(-1), Duration.ofDays(-1))).isFalse();
        assertThat(holds(Duration.ZERO, Duration.ofDays(-1))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "abc",
                "abc.1",
                "abc..",
                "abc.x y.1",
                "abc.zzzzzzzzzz.zzzzzzzzzz",
                ".1.1",
                "abc.1.1.1",
                "abc.-1.1"
            })
    void whatIsNoTokenIsNone(String text) {
        assertThat(SessionToken.read(text, LIMITED, NOW)).isNull();
    }

    @Test
    void withoutLimitsTheTokenIsTheEndpointsAlone() {
        assertThat(new SessionToken("abc", NOW, NOW).text(ENDLESS)).isEqualTo("abc");
        assertThat(SessionToken.read("abc", ENDLESS, NOW)).isEqualTo(new SessionToken("abc", NOW, NOW));
        assertThat(SessionToken.read(null, ENDLESS, NOW)).isNull();
    }
}
