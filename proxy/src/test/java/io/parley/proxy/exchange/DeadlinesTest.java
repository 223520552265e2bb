package io.parley.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.exchange.Deadlines.Expired;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.Rewrite;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.WeightedCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose time runs while a request is on its way: the route allows ten seconds, the listener a minute without progress. */
class DeadlinesTest {
    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Deadlines deadlines = new Deadlines();

    @BeforeEach
    void begin() {
        deadlines.begin(0);
        deadlines.allow(new RouteAction.Forward(
                List.of(new WeightedCluster("shop", 1, FieldEdits.NONE, FieldEdits.NONE)),
                Rewrite.NONE,
                Duration.ofSeconds(10),
                null,
                null,
                List.of(),
                List.of()));
    }

    private Expired look(long seconds) {
        return deadlines.look(seconds * SECOND, IDLE);
    }

    @Test
    void theRoutesTimeRunsFromTheEndOfTheRequest() {
        deadlines.received(false);
        assertThat(look(30)).isEqualTo(Expired.NOTHING);
        deadlines.received(true);
        assertThat(look(39)).isEqualTo(Expired.NOTHING);
        assertThat(look(40)).isEqualTo(Expired.WHOLE);
    }

    @Test
    void aServerThatTakesNoMoreOfARequestIsTimed() {
        deadlines.handed(false);
        deadlines.received(false);
        deadlines.held(true);
        assertThat(look(1)).isEqualTo(Expired.NOTHING);
        assertThat(look(5)).isEqualTo(Expired.NOTHING);
        assertThat(deadlines.isReceiving()).as("a try's time runs too").isFalse();
        assertThat(look(11)).isEqualTo(Expired.WHOLE);
        assertThat(deadlines.isClientAwaited()).isFalse();
    }

    @Test
    void aServerThatTakesARequestSlowlyIsNot() {
        for (int second = 1; second < 60; second++) {
            deadlines.received(false);
            deadlines.held(true);
            assertThat(look(second)).isEqualTo(Expired.NOTHING);
            assertThat(deadlines.isReceiving()).isTrue();
        }
    }

    @Test
    void aClientThatStopsInTheMiddleIsTheOneThatIsLate() {
        deadlines.received(false);
        deadlines.held(true);
        deadlines.held(false);
        assertThat(look(1)).isEqualTo(Expired.NOTHING);
        assertThat(look(62)).isEqualTo(Expired.IDLE);
        assertThat(deadlines.isClientAwaited()).isTrue();
    }

    @Test
    void aClientOwesNothingBeforeThereIsAServer() {
        assertThat(deadlines.isClientAwaited()).isFalse();
        deadlines.handed(false);
        assertThat(deadlines.isClientAwaited()).isTrue();
        deadlines.received(true);
        assertThat(deadlines.isClientAwaited()).isFalse();
    }

    @Test
    void whoAsksForATunnelWaitsForTheAnswer() {
        deadlines.handed(true);
        assertThat(deadlines.isClientAwaited()).isFalse();
    }

    @Test
    void aTunnelHasNoDeadlineUntilItsClientHasEndedItsSide() {
        deadlines.received(true);
        deadlines.lift();
        assertThat(look(1_000)).isEqualTo(Expired.NOTHING);
        deadlines.received(false);
        assertThat(look(2_000)).isEqualTo(Expired.NOTHING);
        assertThat(look(3_000)).isEqualTo(Expired.NOTHING);
        deadlines.received(true);
        assertThat(look(3_001)).isEqualTo(Expired.NOTHING);
        assertThat(look(3_062)).isEqualTo(Expired.IDLE);
    }
}
