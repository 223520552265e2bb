package io.parley.wire.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.AsciiString;
import io.parley.wire.http.Field.Fault;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldTest {
    private static @Nullable Fault fault(String name, String value) {
        return Field.read(new AsciiString(name), new AsciiString(value), false).fault();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "content-Type", "a b", "a:", "a\u0000", "a\u0080", "a\u007f", "(a)"})
    void findsANameThatIsNoTokenInLowerCase(String name) {
        assertThat(fault(name, "v")).isEqualTo(Fault.NAME);
        assertThat(fault(name, "\n")).as("which is graver than the value").isEqualTo(Fault.NAME);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " a",
                "a ",
                "\ta",
                "a\t",
                " ",
                "\n",
                "a\rb",
                "a\u0000",
                "\u007f",
                "a\u001fb",
                "12345678\n",
                "1234567\u007f8"
            })
    void findsAValueWithControlsOrWhiteSpaceAroundIt(String value) {
        assertThat(fault("a", value)).isEqualTo(Fault.VALUE);
        assertThat(fault("a_b", value)).as("which is graver than an underscore").isEqualTo(Fault.VALUE);
        assertThat(fault(":path", value)).isEqualTo(Fault.VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a b", "a\tb", "\u0080\u00ff", "a, b;c=\"d\"", "0123456789\t0123456789\u00e9"})
    void findsNothingWrongWithOtherValues(String value) {
        assertThat(fault("a-b", value)).isNull();
    }

    @Test
    void findsAnUnderscore() {
        assertThat(fault("a_b", "v")).isEqualTo(Fault.UNDERSCORE);
        assertThat(fault(":a_b", "v")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a_b", "A", ":path", ""})
    void findsTheSameWhenTheNameWasSeenBefore(String name) {
        for (String before : new String[] {"v", "\n"}) {
            Field other = Field.read(new AsciiString(name), new AsciiString(before), true);
            for (String value : new String[] {"v", "\n"}) {
                Field read = Field.readNamedAs(other, new AsciiString(value), false);
                assertThat(read).isEqualTo(Field.read(new AsciiString(name), new AsciiString(value), false));
            }
        }
    }

    @Test
    void countsThirtyTwoOctetsBesideItsOwn() {
        assertThat(Field.of(new AsciiString("abc"), new AsciiString("de")).size())
                .isEqualTo(37);
    }
}
