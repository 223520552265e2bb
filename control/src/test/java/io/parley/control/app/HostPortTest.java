package io.parley.control.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
    @Test
    void readsWhatPeopleWrite() {
        assertThat(HostPort.parse("127.0.0.1:5681")).isEqualTo(new HostPort("127.0.0.1", 5681));
        assertThat(HostPort.parse("[::1]:0")).isEqualTo(new HostPort("::1", 0)).hasToString("[::1]:0");
        assertThat(HostPort.parse(":5678").isLoopback()).isFalse();
        assertThat(HostPort.parse("localhost:65535").isLoopback()).isTrue();
        assertThat(HostPort.parse("0.0.0.0:1").isLoopback()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5681",
                "localhost",
                "localhost:",
                "localhost:x",
                "localhost:65536",
                "::1:80",
                "[::1]",
                "a:-1"
            })
    void saysWhatItExpected(String text) {
        assertThatThrownBy(() -> HostPort.parse(text)).hasMessageContaining("expected: HOST:PORT");
    }
}
