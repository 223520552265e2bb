package io.parley.resource.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.parley.resource.Result;
import io.parley.resource.Shown;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One place in a document: a field or an item of a list. Methods named after a type give the value or null if there is none;
 * those that start with {@code require} note its absence as a fault.
 */
public final class Field {
    private static final int LONGEST_SHOWN = 80;
    private static final int LONGEST_EXPRESSION = 1024;
    private static final String EXPRESSION =
            "a regular expression of RE2 syntax of at most " + LONGEST_EXPRESSION + " characters";
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    private static final Pattern TAG_NAME = Pattern.compile("[a-zA-Z0-9.\\-_:/]{1,253}");
    private static final Pattern TAG_VALUE = Pattern.compile("[a-zA-Z0-9.\\-_:*]{1,253}");

    private final @Nullable JsonNode node;
    private final Path path;
    private final Dialect dialect;
    private final Faults faults;

    Field(@Nullable JsonNode node, Path path, Dialect dialect, Faults faults) {
        this.node = node;
        this.path = path;
        this.dialect = dialect;
        this.faults = faults;
    }

    public boolean isPresent() {
        return node != null;
    }

    /** Whether it comes from a store, where some release of this program has let it in. */
    public boolean isStored() {
        return !faults.areUnknownFields();
    }

    /** For fields that hold a number or a name. */
    public boolean isText() {
        return node != null && node.isTextual();
    }

    public void fail(String message) {
        faults.add(path, message);
    }

    public Path path() {
        return path;
    }

    // Text

    public @Nullable String text() {
        return text("text", text -> true);
    }

    public String requireText() {
        return requireText("text that is not empty", text -> !text.isEmpty());
    }

    public @Nullable String text(String expected, Predicate<String> rule) {
        return read(
                expected,
                value -> value.isTextual() && rule.test(value.textValue())
                        ? Optional.of(value.textValue())
                        : Optional.empty());
    }

    public String requireText(String expected, Predicate<String> rule) {
        return orMissing(text(expected, rule), "", expected);
    }

    /** A regular expression that is matched in linear time, so that nobody can stop a proxy with one. */
    public String requirePattern() {
        String text = requireText(EXPRESSION, value -> !value.isEmpty() && value.length() <= LONGEST_EXPRESSION);
        String fault = isText() ? Regexes.fault(text) : null;
        if (fault != null) {
            fail(shown(TextNode.valueOf(text)) + " (expected: " + fault + ")");
        }
        return text;
    }

    public <E> @Nullable E choice(Choices<E> choices) {
        return read(
                "one of " + choices, value -> value.isTextual() ? choices.find(value.textValue()) : Optional.empty());
    }

    public <E> E requireChoice(Choices<E> choices) {
        return orMissing(choice(choices), choices.any(), "one of " + choices);
    }

    public <E> E choiceOr(E absent, Choices<E> choices) {
        E value = choice(choices);
        return value == null ? absent : value;
    }

    // Numbers, switches, times

    public @Nullable Boolean flag() {
        return read("true or false", value -> value.isBoolean() ? Optional.of(value.booleanValue()) : Optional.empty());
    }

    public boolean flagOr(boolean absent) {
        Boolean value = flag();
        return value == null ? absent : value;
    }

    public @Nullable Integer integer(IntRange range) {
        return read(
                range.toString(),
                value -> wholeNumber(value).filter(range::contains).map(Long::intValue));
    }

    public int requireInteger(IntRange range) {
        return orMissing(integer(range), range.lowest(), range.toString());
    }

    /** A number that may be written as text to keep its digits: {@code "99.9"}. */
    public @Nullable BigDecimal decimal(String expected, Predicate<BigDecimal> rule) {
        return read(expected, value -> decimalNumber(value).filter(rule));
    }

    public @Nullable BigDecimal percentage() {
        return decimal(
                "a percentage from 0 to 100, such as 50 or \"99.9\"",
                number -> number.signum() >= 0 && number.compareTo(HUNDRED) <= 0);
    }

    public @Nullable Duration duration(DurationRange range) {
        return read(
                range.toString(),
                value -> value.isTextual()
                        ? Durations.parse(value.textValue()).filter(range::contains)
                        : Optional.empty());
    }

    public Duration requireDuration(DurationRange range) {
        return orMissing(duration(range), Duration.ofSeconds(1), range.toString());
    }

    // Structure

    public <T> @Nullable T object(Function<Fields, T> reader) {
        ObjectNode tree = tree();
        return tree == null ? null : Fields.read(tree, path, dialect, faults, reader);
    }

    public <T> T requireObject(Function<Fields, T> reader) {
        T value = object(reader);
        if (node == null) {
            fail("missing (expected: an object)");
        }
        return value == null ? Fields.standIn(reader) : value;
    }

    /** The object as it is, for what we keep and do not interpret. */
    public @Nullable ObjectNode tree() {
        return read("an object", value -> value instanceof ObjectNode tree ? Optional.of(tree) : Optional.empty());
    }

    public @Nullable JsonNode any() {
        return node;
    }

    /** Each item read by itself; no items if the list is absent. */
    public <T> List<T> list(Function<Field, T> reader) {
        ArrayNode items =
                read("a list", value -> value instanceof ArrayNode array ? Optional.of(array) : Optional.empty());
        List<T> values = new ArrayList<>();
        for (int index = 0; items != null && index < items.size(); index++) {
            JsonNode item = items.get(index);
            values.add(reader.apply(new Field(item.isNull() ? null : item, path.item(index), dialect, faults)));
        }
        return List.copyOf(values);
    }

    /** Read with what is wrong about it kept apart from what is wrong about the rest. */
    public <T> Result<T> apart(Function<Field, T> reader) {
        Faults own = faults.apart();
        T value = reader.apply(new Field(node, path, dialect, own));
        return own.isEmpty() ? new Result.Accepted<>(value) : new Result.Rejected<>(own.found());
    }

    public <T> List<T> objects(Function<Fields, T> reader) {
        return list(item -> item.requireObject(reader));
    }

    public <T> List<T> requireObjects(Function<Fields, T> reader) {
        List<T> values = objects(reader);
        if (node == null) {
            fail("missing (expected: a list)");
        } else if (node.isArray() && node.isEmpty()) {
            fail("empty (expected: at least one item)");
        }
        return values;
    }

    /** Text by name, such as labels and tags. */
    public Map<String, String> texts() {
        Map<String, String> values = new LinkedHashMap<>();
        ObjectNode tree = tree();
        if (tree != null) {
            tree.properties().forEach(entry -> {
                Field field = new Field(entry.getValue(), path.field(entry.getKey()), dialect, faults);
                String value = field.text("text; put numbers and true or false in quotes", text -> true);
                if (value != null) {
                    values.put(entry.getKey(), value);
                }
            });
        }
        return values;
    }

    /** What a proxy or a service is marked with. */
    public Map<String, String> tags() {
        Map<String, String> tags = texts();
        tags.forEach((name, value) -> {
            if (!TAG_NAME.matcher(name).matches() || !TAG_VALUE.matcher(value).matches()) {
                faults.add(
                        path.field(name),
                        shown(TextNode.valueOf(value))
                                + " (expected: a name and a value of letters, digits, '.', '-', '_', ':', and '/' in"
                                + " the name)");
            }
        });
        return tags;
    }

    private Optional<Long> wholeNumber(JsonNode value) {
        if (value.isIntegralNumber()) {
            return value.canConvertToLong() ? Optional.of(value.longValue()) : Optional.empty();
        }
        boolean digits = dialect == Dialect.PROTOBUF
                && value.isTextual()
                && value.textValue().matches("-?[0-9]{1,18}");
        return digits ? Optional.of(Long.parseLong(value.textValue())) : Optional.empty();
    }

    private static Optional<BigDecimal> decimalNumber(JsonNode value) {
        if (value.isNumber()) {
            return Optional.of(value.decimalValue());
        }
        boolean digits = value.isTextual() && value.textValue().matches("-?[0-9]{1,20}(\\.[0-9]{1,20})?");
        return digits ? Optional.of(new BigDecimal(value.textValue())) : Optional.empty();
    }

    private <T> @Nullable T read(String expected, Function<JsonNode, Optional<T>> conversion) {
        if (node == null) {
            return null;
        }
        Optional<T> value = conversion.apply(node);
        if (value.isEmpty()) {
            fail(shown(node) + " (expected: " + expected + ")");
        }
        return value.orElse(null);
    }

    private <T> T orMissing(@Nullable T value, T standIn, String expected) {
        if (node == null) {
            fail("missing (expected: " + expected + ")");
        }
        return value == null ? standIn : value;
    }

    private static String shown(JsonNode value) {
        if (value.isContainerNode()) {
            return value.isArray() ? "a list" : "an object";
        }
        String text = value.isTextual() ? value.textValue() : value.toString();
        if (text.isEmpty()) {
            return "empty";
        }
        return Shown.of(text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…");
    }
}
