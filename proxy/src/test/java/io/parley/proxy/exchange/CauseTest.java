package io.parley.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.http1.Flaw;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CauseTest {
    private static final String DETAIL =
            "10.0.0.7:9000: finishConnect(..) failed with error(-111): cluster shop/cart:80";

    private static List<Cause> all() {
        return Stream.of(Hindrance.values(), Flaw.values())
                .flatMap(Stream::<Cause>of)
                .toList();
    }

    @Test
    void aClientIsToldNothingOfWhatIsBehind() {
        for (Cause cause : all()) {
            assertThat(LocalAnswer.Failure.of(503, cause, DETAIL).told())
                    .as(cause.word())
                    .isEqualTo(cause.told())
                    .isNotEmpty()
                    .doesNotContain("10.0.0.7", "9000", "cart", "error(");
        }
    }

    @Test
    void eachHasAWordOfItsOwn() {
        Set<String> words = new HashSet<>();
        for (Cause cause : all()) {
            // Both ways to ask for another protocol are refused by the same word.
            assertThat(words.add(cause.word()) || cause == Flaw.UPGRADE)
                    .as(cause.word())
                    .isTrue();
        }
    }

    @Test
    void knowsWhatIsLoggedNowhereElse() {
        assertThat(Hindrance.UNREACHABLE.isTrouble()).isTrue();
        assertThat(Hindrance.PROTOCOL_MISMATCH.isTrouble()).isFalse();
        assertThat(Hindrance.NO_ROUTE.isTrouble()).isFalse();
        assertThat(Flaw.METHOD.isTrouble()).isFalse();
    }
}
