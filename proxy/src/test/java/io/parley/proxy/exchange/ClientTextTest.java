package io.parley.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientTextTest {
    private static final String DETAIL =
            "10.0.0.7:9000: finishConnect(..) failed with error(-111): cluster shop/cart:80";

    private static LocalAnswer.Failure failure(String cause) {
        return LocalAnswer.Failure.of(503, cause, DETAIL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no-route",
                "no-backend",
                "no-cluster",
                "invalid-backend",
                "no-endpoint",
                "unreachable",
                "overflow",
                "overload",
                "protocol-mismatch",
                "bad-answer",
                "no-answer",
                "cut-off",
                "timeout",
                "denied",
                "stream-idle"
            })
    void saysNothingOfWhatIsBehind(String cause) {
        assertThat(ClientText.of(failure(cause))).isNotEmpty().doesNotContain("10.0.0.7", "9000", "cart", "error(");
    }

    @Test
    void leavesWhatWasWrittenForClients() {
        assertThat(ClientText.of(failure("direct-response"))).isEqualTo(DETAIL);
    }

    @Test
    void knowsWhatIsLoggedNowhereElse() {
        assertThat(ClientText.hidesTrouble(failure("unreachable"))).isTrue();
        assertThat(ClientText.hidesTrouble(failure("protocol-mismatch"))).isFalse();
        assertThat(ClientText.hidesTrouble(failure("no-route"))).isFalse();
    }
}
