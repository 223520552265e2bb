package io.parley.resource.policy.accesslog;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The body of a record: a text with placeholders, or an {@code AnyValue} of OpenTelemetry with such texts in it. */
public sealed interface LogBody {
    /** With placeholders. */
    record Text(String template) implements LogBody {}

    /** True or false. */
    record Flag(boolean value) implements LogBody {}

    /** A number of 64 bits without fractions. */
    record Whole(long value) implements LogBody {}

    /** Any other number. */
    record Real(double value) implements LogBody {}

    /** In base64. */
    record Bytes(String encoded) implements LogBody {}

    /** Several values. */
    record Items(List<LogBody> values) implements LogBody {
        public Items {
            values = List.copyOf(values);
        }
    }

    /** Several values with names. */
    record Members(List<Member> values) implements LogBody {
        public Members {
            values = List.copyOf(values);
        }
    }

    /** A value and its name. */
    record Member(String key, LogBody value) {}

    /** JSON that has none of an {@code AnyValue}'s fields is a text as it stands. */
    static @Nullable LogBody read(Field field) {
        JsonNode written = field.any();
        if (written == null) {
            return null;
        }
        if (written.isTextual()) {
            return new Text(written.asText());
        }
        return written.isObject() && written.properties().stream().anyMatch(each -> Form.FIELDS.contains(each.getKey()))
                ? Form.read(field)
                : new Text(written.toString());
    }

    /** An {@code AnyValue} as protobuf has it in JSON. */
    final class Form {
        private static final int MAX_DEPTH = 8;
        private static final int MAX_VALUES = 200;
        private static final String[] NAMES = {
            "stringValue", "boolValue", "intValue", "doubleValue", "bytesValue", "arrayValue", "kvlistValue"
        };
        private static final Set<String> FIELDS = Set.of(
                "stringValue",
                "string_value",
                "boolValue",
                "bool_value",
                "intValue",
                "int_value",
                "doubleValue",
                "double_value",
                "bytesValue",
                "bytes_value",
                "arrayValue",
                "array_value",
                "kvlistValue",
                "kvlist_value");

        private Form() {}

        private static LogBody read(Field field) {
            LogBody body = read(field, 1);
            int count = count(body);
            if (count > MAX_VALUES) {
                field.fail(count + " values (expected: at most " + MAX_VALUES + ")");
            }
            return body;
        }

        private static LogBody read(Field field, int depth) {
            if (depth > MAX_DEPTH) {
                field.fail("values in values (expected: at most " + MAX_DEPTH + " deep)");
                return new Text("");
            }
            return field.requireObject(fields -> one(fields, depth));
        }

        private static LogBody one(Fields fields, int depth) {
            String name = fields.needOneOf(NAMES);
            Field field = fields.at(name);
            return switch (name) {
                case "boolValue" -> new Flag(field.flagOr(false));
                case "intValue" -> whole(field);
                case "doubleValue" -> real(field);
                case "bytesValue" -> new Bytes(field.requireText("base64", Form::isBase64));
                case "arrayValue" ->
                    field.requireObject(array -> new Items(array.at("values").list(item -> read(item, depth + 1))));
                case "kvlistValue" ->
                    field.requireObject(list -> new Members(list.at("values")
                            .objects(member ->
                                    new Member(member.at("key").requireText(), read(member.at("value"), depth + 1)))));
                default -> new Text(field.requireText("text", text -> true));
            };
        }

        private static int count(LogBody body) {
            return switch (body) {
                case Items(var values) -> count(values.stream());
                case Members(var values) -> count(values.stream().map(Member::value));
                case Text _, Flag _, Whole _, Real _, Bytes _ -> 1;
            };
        }

        private static int count(Stream<LogBody> inside) {
            return 1 + inside.mapToInt(Form::count).sum();
        }

        /** Protobuf writes numbers of 64 bits as text, and reads both. */
        private static LogBody whole(Field field) {
            JsonNode written = field.any();
            if (written != null && written.canConvertToLong() && written.isIntegralNumber()) {
                return new Whole(written.longValue());
            }
            try {
                return new Whole(Long.parseLong(written != null && written.isTextual() ? written.asText() : ""));
            } catch (NumberFormatException e) {
                field.fail(written + " (expected: a whole number of 64 bits)");
                return new Whole(0);
            }
        }

        private static LogBody real(Field field) {
            JsonNode written = field.any();
            if (written == null || !written.isNumber()) {
                field.fail(written + " (expected: a number)");
                return new Real(0);
            }
            return new Real(written.doubleValue());
        }

        private static boolean isBase64(String text) {
            try {
                var _ = Base64.getDecoder().decode(text);
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }
    }
}
