package io.parley.agreement.reason;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DecisionTest {
    private final Source source =
            new Source("pod/mysql-0", "metadata.annotations[config.linkerd.io/opaque-ports]", "opaque ports");

    @Test
    void keepsItsReasonWhenSeenAsAnotherValue() {
        Decision<Integer> port = new Decision<>(3306, "the pod declares it", source);

        Decision<String> text = port.map(value -> "port " + value);

        assertThat(text).isEqualTo(new Decision<>("port 3306", "the pod declares it", source));
    }

    @Test
    void readsAsASentence() {
        assertThat(new Decision<>("opaque", "the pod declares it", source))
                .hasToString("opaque because the pod declares it"
                        + " (pod/mysql-0 metadata.annotations[config.linkerd.io/opaque-ports] by opaque ports)");
        assertThat(new Decision<>("http", "it was seen", Source.ofRule("detection")))
                .hasToString("http because it was seen (detection)");
    }

    @Test
    void hasAlwaysAReason() {
        assertThatThrownBy(() -> new Decision<>(1, " ", source)).hasMessageContaining("expected: the reason for 1");
        assertThatThrownBy(() -> Source.ofRule("")).hasMessageContaining("rule: blank");
    }
}
