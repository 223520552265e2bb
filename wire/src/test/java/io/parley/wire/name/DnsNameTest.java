package io.parley.wire.name;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DnsNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "a.b", "a.b.", "_http._tcp.example", "web-1.default", "10.0.0.1", "A1.b"})
    void takesNames(String name) {
        assertThat(DnsName.isValid(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a..b", ".a", "a b", "-a", "a-", "a/b", "a\u0000b", "ä.example", "a.-b", "*.a"})
    void refusesWhatIsNone(String name) {
        assertThat(DnsName.isValid(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {63, 64})
    void aLabelHasAtMost63Characters(int length) {
        assertThat(DnsName.isValid("a".repeat(length))).isEqualTo(length == 63);
    }
}
