package io.parley.proxy.http2;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** For how long nothing has moved. */
class StandstillTest {
    private final Standstill standstill = new Standstill();

    @Test
    void theFirstLookKnowsNothingOfWhatWasBefore() {
        assertThat(standstill.look(1_000, 1, 0)).isZero();
        assertThat(standstill.look(1_010, 1, 0)).isEqualTo(10);
    }

    @Test
    void asManyThatWaitAsBeforeMayBeOthers() {
        standstill.look(1_000, 1, 0);
        assertThat(standstill.look(1_010, 1, 1)).isZero();
        assertThat(standstill.look(1_015, 1, 1)).isEqualTo(5);
    }

    @Test
    void whereNothingWaitsNothingStandsStill() {
        standstill.look(1_000, 0, 3);
        assertThat(standstill.look(2_000, 0, 3)).isZero();
        assertThat(standstill.look(2_007, 1, 3)).isEqualTo(7);
    }
}
