package io.parley.proxy.config.xds;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.parley.resource.Violation;
import io.parley.xds.client.resource.NestedTypes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Finds what a resource says that a proxy would not do. Every field that is set must be in the list of those that are understood: what
 * is ignored in silence is what people search for at night.
 */
final class Subset {
    private static final int MAX_DEPTH = 64;

    /** What filters and sockets are made of: one that has none is none. */
    private static final String CONTENT = "typed_config";

    /** Its numbers are what they say, and HTTP has more of them than Envoy has words. */
    private static final String NUMBERS = "envoy.type.v3.StatusCode";

    private static final Set<String> AT_LENGTH = Set.of(
            "envoy.config.core.v3.DataSource.inline_string",
            "envoy.config.core.v3.SubstitutionFormatString.text_format",
            "envoy.extensions.access_loggers.file.v3.FileAccessLog.format",
            "opentelemetry.proto.common.v1.AnyValue.string_value");

    private static final int DELETE = 0x7f;
    private static final String GOOGLE = "google.protobuf.";
    /** The fields that are understood, by the type of message. */
    static final Map<String, Set<String>> UNDERSTOOD = load();

    private final List<Violation> found = new ArrayList<>();

    private Subset() {}

    /** Each field, filter and type that is not understood, with its path. */
    static List<Violation> violations(Message resource) {
        Subset subset = new Subset();
        subset.check(resource, "", 0);
        return List.copyOf(subset.found);
    }

    private void check(Message message, String path, int depth) {
        if (depth > MAX_DEPTH) {
            found.add(new Violation(path, "nested more than " + MAX_DEPTH + " deep"));
        } else if (message instanceof Any any) {
            checkInside(any, path, depth);
        } else if (!message.getDescriptorForType().getFullName().startsWith(GOOGLE)) {
            checkFields(message, path, depth);
        }
    }

    private void checkInside(Any any, String path, int depth) {
        String type = NestedTypes.nameOf(any);
        Message prototype = KnownTypes.BY_NAME.get(type);
        if (prototype == null || !UNDERSTOOD.containsKey(type)) {
            found.add(
                    new Violation(path, type + " is not understood (expected: a type of docs/proxy-configuration.md)"));
            return;
        }
        try {
            check(prototype.getParserForType().parseFrom(any.getValue()), path, depth + 1);
        } catch (InvalidProtocolBufferException e) {
            found.add(new Violation(path, "not a " + type + ": " + e.getMessage()));
        }
    }

    /** Nothing that is looked for, called, or sent has them in it; only what is written at length has lines. */
    private void checkText(FieldDescriptor field, Object value, String path) {
        boolean text =
                field.getJavaType() == FieldDescriptor.JavaType.STRING && !AT_LENGTH.contains(field.getFullName());
        if (text
                && (field.isRepeated() ? (List<?>) value : List.of(value))
                        .stream().anyMatch(Subset::hasControl)) {
            found.add(new Violation(path, value + " (expected: no control character)"));
        }
    }

    static boolean hasControl(Object text) {
        return text.toString().chars().anyMatch(c -> (c < ' ' && c != '\t') || c == DELETE);
    }

    private void checkFields(Message message, String path, int depth) {
        String type = message.getDescriptorForType().getFullName();
        Set<String> fields = UNDERSTOOD.getOrDefault(type, Set.of());
        message.getUnknownFields()
                .asMap()
                .keySet()
                .forEach(number -> found.add(
                        new Violation(path, "field number " + number + " of " + type + " is not understood")));
        if (fields.contains(CONTENT)
                && !message.hasField(message.getDescriptorForType().findFieldByName(CONTENT))) {
            found.add(new Violation(path, "without " + CONTENT + " (expected: one that is understood)"));
        }
        message.getAllFields().forEach((field, value) -> {
            String at = path.isEmpty() ? field.getName() : path + "." + field.getName();
            checkText(field, value, at);
            if (!fields.contains(field.getName())) {
                found.add(new Violation(
                        at,
                        "not understood (expected: "
                                + (fields.isEmpty() ? "none" : "one of " + String.join(", ", sorted(fields))) + ")"));
            } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                checkValue(field, value, at, depth);
            } else if (value instanceof EnumValueDescriptor word
                    && word.getIndex() < 0
                    && !word.getType().getFullName().equals(NUMBERS)) {
                found.add(new Violation(
                        at,
                        word.getNumber() + " (expected: a value of "
                                + word.getType().getFullName() + " that is understood)"));
            }
        });
    }

    private void checkValue(FieldDescriptor field, Object value, String path, int depth) {
        if (!field.isRepeated()) {
            check((Message) value, path, depth + 1);
            return;
        }
        List<?> items = (List<?>) value;
        for (int i = 0; i < items.size(); i++) {
            Message item = (Message) items.get(i);
            if (field.isMapField()) {
                checkEntry(item, path, depth);
            } else {
                check(item, path + "[" + i + "]", depth + 1);
            }
        }
    }

    private void checkEntry(Message entry, String path, int depth) {
        var type = entry.getDescriptorForType();
        checkText(type.findFieldByNumber(1), entry.getField(type.findFieldByNumber(1)), path);
        if (entry.getField(type.findFieldByNumber(2)) instanceof Message value) {
            check(value, path + "[" + entry.getField(type.findFieldByNumber(1)) + "]", depth + 1);
        }
    }

    private static List<String> sorted(Set<String> fields) {
        return fields.stream().sorted().toList();
    }

    private static Map<String, Set<String>> load() {
        Map<String, Set<String>> understood = new HashMap<>();
        try (InputStream in = Objects.requireNonNull(Subset.class.getResourceAsStream("subset.txt"))) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> {
                        int colon = line.indexOf(':');
                        String fields = line.substring(colon + 1).strip();
                        understood.put(
                                line.substring(0, colon), fields.isEmpty() ? Set.of() : Set.of(fields.split(" +")));
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.copyOf(understood);
    }
}
