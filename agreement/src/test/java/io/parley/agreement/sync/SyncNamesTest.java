package io.parley.agreement.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SyncNamesTest {
    @Test
    void case27_hashesAsKumaDoes() {
        assertThat(SyncNames.hashed("default", "default-timeout-zone-1", Map.of(SyncLabels.ZONE, "zone-1")))
                .isEqualTo("default-timeout-zone-1-c58w24w4vw27f454");
        assertThat(SyncNames.hashed("default", "default-timeout-global", Map.of()))
                .isEqualTo("default-timeout-global-54dbd4c66zwbcf9c");
    }

    @Test
    void case27_someHashesClash() {
        String one = SyncNames.hashed("m", "p", Map.of(SyncLabels.ZONE, "eu", SyncLabels.NAMESPACE, "west"));
        String other = SyncNames.hashed("m", "p", Map.of(SyncLabels.ZONE, "euw", SyncLabels.NAMESPACE, "est"));
        assertThat(one).isEqualTo(other);
    }

    @Test
    void aLongNameIsCutBeforeItsHash() {
        assertThat(SyncNames.hashed("m", "n".repeat(253), Map.of())).hasSize(253);
    }

    @Test
    void theZoneStandsInFront() {
        assertThat(SyncNames.prefixed("zone-1", "example-timeout")).contains("zone-1.example-timeout");
        assertThat(SyncNames.prefixed("zone-1", "n".repeat(246))).isEmpty();
    }

    @Test
    void dotsInNamesSurviveThePrefix() {
        assertThat(SyncNames.withoutPrefix("zone-1", "zone-1.a.b.c")).contains("a.b.c");
        assertThat(SyncNames.withoutPrefix("zone-1", "zone-10.a")).isEmpty();
        assertThat(SyncNames.withoutPrefix("zone-1", "zone-1.")).isEmpty();
    }
}
