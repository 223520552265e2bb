package io.parley.sync.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.resource.KindId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {
    @Test
    void operationalKindsDoNotWaitUnlessToldTo() {
        assertThat(Pace.DEFAULT.of(new KindId("MeshTimeout"))).isZero();
        assertThat(Pace.DEFAULT.of(new KindId("DataplaneInsight"))).isEqualTo(Duration.ofSeconds(1));
        Pace pace = Pace.parse(List.of("3s", "Dataplane=250ms", "MeshTimeout = 1m"));
        assertThat(pace.of(new KindId("DataplaneInsight"))).isEqualTo(Duration.ofSeconds(3));
        assertThat(pace.of(new KindId("Dataplane"))).isEqualTo(Duration.ofMillis(250));
        assertThat(pace.of(new KindId("MeshTimeout"))).isEqualTo(Duration.ofMinutes(1));
        assertThat(pace.of(new KindId("MeshRetry"))).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "Dataplane=", "Dataplane=-1s", "Dataplane=2h", "Zone=1s", "=1s"})
    void refusesWhatItCannotKeep(String interval) {
        assertThatThrownBy(() -> Pace.parse(List.of(interval)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(interval + " (expected: ");
    }
}
