package io.parley.proxy.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.http.HttpLimits;
import org.junit.jupiter.api.Test;

class ScratchesTest {
    @Test
    void connectionsWithTheSameLimitsOfHeadsShareTheirMemory() {
        Scratches scratches = new Scratches();
        assertThat(scratches.of(new HttpLimits(8_192, 10_000, 200, 0, 1_024)))
                .isSameAs(scratches.of(new HttpLimits(8_192, 10_000, 200, 7, 100)))
                .isNotSameAs(scratches.of(HttpLimits.DEFAULT));
    }
}
