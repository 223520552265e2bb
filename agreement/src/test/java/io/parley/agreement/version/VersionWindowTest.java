package io.parley.agreement.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.agreement.reason.Decision;
import java.util.List;
import org.junit.jupiter.api.Test;

class VersionWindowTest {
    private final VersionHistory<String> history = new VersionHistory<>(List.of("v1", "v2", "v3", "v3.1"));

    @Test
    void supportsTheNewestVersionAndTheOneBefore() {
        assertThat(history.window().preferredFirst()).containsExactly("v3.1", "v3");
        assertThat(history.windowUpTo("v3").preferredFirst()).containsExactly("v3", "v2");
        assertThat(history.windowUpTo("v1").preferredFirst()).containsExactly("v1");
    }

    @Test
    void choosesTheHighestCommonVersionWhateverThePeersOrder() {
        VersionWindow<String> window = history.windowUpTo("v3");

        assertThat(window.agreeWith(List.of("v2", "v3"))).map(Decision::value).hasValue("v3");
        assertThat(window.agreeWith(List.of("v3", "v2"))).map(Decision::value).hasValue("v3");
        assertThat(window.agreeWith(List.of("v2"))).map(Decision::value).hasValue("v2");
        assertThat(window.agreeWith(List.of("v2", "v2", "v9")))
                .map(Decision::value)
                .hasValue("v2");
    }

    @Test
    void findsNothingInCommonWithAPeerTwoVersionsAway() {
        assertThat(history.window().agreeWith(List.of("v2"))).isEmpty();
        assertThat(history.windowUpTo("v2").agreeWith(List.of("v3.1", "v3"))).isEmpty();
        assertThat(history.window().agreeWith(List.of())).isEmpty();
    }

    @Test
    void ownPreferenceDecides() {
        assertThat(new VersionWindow<>(List.of("v1", "v2")).agreeWith(List.of("v2", "v1")))
                .map(Decision::value)
                .hasValue("v1");
    }

    @Test
    void saysWhyALesserVersionWasChosen() {
        assertThat(history.windowUpTo("v3")
                        .agreeWith(List.of("v2"))
                        .orElseThrow()
                        .because())
                .isEqualTo("v2 is the first of [v3, v2] that the peer offers: [v2]");
    }

    @Test
    void versionsAreOpaqueAndExact() {
        assertThat(history.window().agreeWith(List.of("V3", "v3 "))).isEmpty();
    }

    @Test
    void refusesNoneTwiceAndUnknown() {
        assertThatThrownBy(() -> new VersionWindow<>(List.of())).hasMessageContaining("expected: at least one");
        assertThatThrownBy(() -> new VersionWindow<>(List.of("a", "a"))).hasMessageContaining("each one once");
        assertThatThrownBy(() -> new VersionHistory<>(List.of())).hasMessageContaining("expected: at least one");
        assertThatThrownBy(() -> new VersionHistory<>(List.of("a", "a"))).hasMessageContaining("each one once");
        assertThatThrownBy(() -> history.windowUpTo("v4")).hasMessageContaining("expected: one of");
    }
}
