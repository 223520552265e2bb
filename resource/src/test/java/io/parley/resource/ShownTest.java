package io.parley.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShownTest {
    @Test
    void whatIsWrongIsToldInOneLineThatMovesNoCursor() {
        Violation violation =
                new Violation("spec.a\nb", "a\033[31mb\r\nERROR all is lost\u202e\u0085 (expected: a name)");
        assertThat(violation)
                .hasToString("spec.a\\nb: a\\u001b[31mb\\r\\nERROR all is lost\\u202e\\u0085 (expected: a" + " name)");
    }

    @Test
    void whatIsWrongIsToldInSoManyWords() {
        assertThat(new Violation("a".repeat(1 << 20), "b".repeat(1 << 20)).toString())
                .hasSizeLessThan(10_000)
                .contains("a…: b");
    }

    @Test
    void whatHasBeenShownIsShownAsItIs() {
        String shown = Shown.of("ü \\ \t\0");
        assertThat(shown).isEqualTo("ü \\ \\t\\u0000");
        assertThat(Shown.of(shown)).isEqualTo(shown);
    }
}
