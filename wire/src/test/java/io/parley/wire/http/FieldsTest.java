package io.parley.wire.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.util.AsciiString;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class FieldsTest {
    private static AsciiString text(String text) {
        return new AsciiString(text);
    }

    private static Fields fields(String... texts) {
        Fields fields = new Fields(1);
        for (int i = 0; i < texts.length; i += 2) {
            fields.add(text(texts[i]), text(texts[i + 1]));
        }
        return fields;
    }

    @Test
    void keepsTheOrderWithPseudoFieldsFirst() {
        assertThat(fields("b", "1", ":path", "/", "a", "2", ":method", "GET", "b", "3"))
                .hasToString(":path: /\n:method: GET\nb: 1\na: 2\nb: 3\n");
    }

    @Test
    void givesTheFirstValueAndAllOfThem() {
        Fields fields = fields("a", "1", "b", "2", "a", "3");
        assertThat((CharSequence) fields.value(text("a"))).isEqualTo(text("1"));
        assertThat(fields.values(text("a"))).containsExactly(text("1"), text("3"));
        assertThat(fields.contains(text("b"))).isTrue();
        assertThat((CharSequence) fields.value(text("c"))).isNull();
        assertThat(fields.values(text("c"))).isEmpty();
    }

    @Test
    void setReplacesInPlaceAndRemovesTheOthers() {
        assertThat(fields("a", "1", "b", "2", "a", "3", "c", "4").set(text("a"), text("5")))
                .hasToString("a: 5\nb: 2\nc: 4\n");
    }

    @Test
    void setAddsWhatIsMissing() {
        assertThat(fields("a", "1").set(text(":path"), text("/"))).hasToString(":path: /\na: 1\n");
    }

    @Test
    void removesAllOfAName() {
        Fields fields = fields("a", "1", "b", "2", "a", "3");
        assertThat(fields.remove(text("a"))).isTrue();
        assertThat(fields).hasToString("b: 2\n");
        assertThat(fields.remove(text("a"))).isFalse();
    }

    @Test
    void aPseudoFieldAddedAfterARemovalStaysBeforeTheOthers() {
        Fields fields = fields(":method", "GET", ":path", "/", "a", "1");
        fields.remove(Fields.METHOD);
        assertThat(fields.add(Fields.SCHEME, text("http"))).hasToString(":path: /\n:scheme: http\na: 1\n");
    }

    @Test
    void removesByWhatTheNameIs() {
        Fields fields = fields("x-a", "1", "b", "2", "x-c", "3");
        assertThat(fields.removeIf(name -> name.startsWith("x-"))).isTrue();
        assertThat(fields).hasToString("b: 2\n");
        assertThat(fields.removeIf(name -> name.startsWith("x-"))).isFalse();
    }

    @Test
    void joinsTheValuesOfAName() {
        Fields fields = fields("a", "1", "b", "2", "a", "3", "cookie", "c=4", "cookie", "d=5", "e", "");
        assertThat(fields.joined("a")).isEqualTo("1,3");
        assertThat(fields.joined("b")).isEqualTo("2");
        assertThat(fields.joined("c")).isNull();
        assertThat(fields.joined("cookie")).isEqualTo("c=4; d=5");
        assertThat(fields.joined("e")).isEmpty();
    }

    @Test
    void aCopyIsOnItsOwn() {
        Fields fields = fields(":path", "/", "a", "1");
        Fields copy = Fields.copyOf(fields).add(Fields.METHOD, text("GET"));
        assertThat(fields).hasToString(":path: /\na: 1\n");
        assertThat(copy).hasToString(":path: /\n:method: GET\na: 1\n");
    }

    @Test
    void endsWhereItEnds() {
        Fields fields = fields("a", "1", "b", "2");
        fields.remove(text("b"));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> fields.at(1));
        var iterator = fields.iterator();
        assertThat((CharSequence) iterator.next().name()).isEqualTo(text("a"));
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(iterator::next);
    }
}
