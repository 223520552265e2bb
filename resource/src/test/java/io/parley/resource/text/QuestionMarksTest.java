package io.parley.resource.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuestionMarksTest {
    private static TextDocument read(String text) {
        return TextReader.read(text.getBytes(UTF_8), Syntax.YAML).getFirst();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{path: /a?b=c} | {\"path\":\"/a?b=c\"}",
                "[?a, b?, c??d] | [\"?a\",\"b?\",\"c??d\"]",
                "{a?: [b?], ?c: d} | {\"a?\":[\"b?\"],\"?c\":\"d\"}",
                "['?a', \"b?\", \"\\u003f\"] | [\"?a\",\"b?\",\"?\"]",
                "a: b? | {\"a\":\"b?\"}",
                "{? a : b} | {\"a\":\"b\"}",
                "? a | {\"a\":null}",
            })
    void areReadAsKubernetesReadsThem(String text, String json) {
        assertThat(read(text)).hasToString("Read[index=0, tree=" + json + "]");
    }

    @Test
    void theCharacterThatStandsForThemIsNotTakenForOne() {
        assertThat(read("['\uE000', \"?\"]")).hasToString("Read[index=0, tree=[\"\uE000\",\"?\"]]");
    }

    @Test
    void placesAreThoseOfTheText() {
        assertThat(read("{a?b: c,\n d?: [}"))
                .isInstanceOfSatisfying(
                        TextDocument.Unreadable.class,
                        fault -> assertThat(fault.at()).hasToString("line 2, column 7"));
    }
}
