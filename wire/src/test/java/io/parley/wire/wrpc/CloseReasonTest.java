package io.parley.wire.wrpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CloseReasonTest {
    @Test
    void textIsCutToWhatACloseFrameCarriesAndNeverInsideACharacter() {
        var reason = new CloseReason(CloseReason.POLICY_VIOLATION, "a" + "\u00e9".repeat(100) + "\uD83D\uDE00");

        assertThat(reason.text().getBytes(StandardCharsets.UTF_8)).hasSize(123);
        assertThat(reason.text()).isEqualTo("a" + "\u00e9".repeat(61));
    }

    @Test
    void isShownWithoutATextIfItHasNone() {
        assertThat(new CloseReason(CloseReason.GOING_AWAY, "")).hasToString("1001");
        assertThat(new CloseReason(CloseReason.GOING_AWAY, "restart")).hasToString("1001 restart");
    }
}
