package io.parley.xds.bootstrap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A JSON value and where it stands. Reading it never throws: what is wrong is noted, and a neutral value returned, so that one
 * pass finds everything. A field that is null counts as absent.
 */
final class JsonField {
    private static final int SHOWN = 80;
    /** Durations as protobuf writes them in JSON; twelve digits of seconds are more than protobuf allows. */
    private static final Pattern DURATION = Pattern.compile("(\\d{1,12})(?:\\.(\\d{1,9}))?s");

    private final JsonNode node;
    private final String path;
    private final List<BootstrapError> errors;

    JsonField(JsonNode node, String path, List<BootstrapError> errors) {
        this.node = node;
        this.path = path;
        this.errors = errors;
    }

    JsonNode node() {
        return node;
    }

    String path() {
        return path;
    }

    boolean isAbsent() {
        return node.isMissingNode() || node.isNull();
    }

    /** The field of this object; absent if this is not one. */
    JsonField at(String name) {
        JsonNode child = node.isObject() ? node.path(name) : MissingNode.getInstance();
        return new JsonField(child, path.isEmpty() ? name : path + "." + name, errors);
    }

    /** Notes it if this is there and not an object. */
    JsonField object() {
        if (!isAbsent() && !node.isObject()) {
            wrongType("an object");
        }
        return this;
    }

    JsonField require(String expected) {
        if (isAbsent()) {
            errors.add(new BootstrapError.Missing(path, expected));
        }
        return this;
    }

    Optional<String> text() {
        if (isAbsent()) {
            return Optional.empty();
        }
        if (!node.isTextual()) {
            wrongType("a string");
            return Optional.empty();
        }
        return Optional.of(node.textValue());
    }

    /** The text, which must be there and not blank; empty after noting that it is not. */
    String requireText(String expected) {
        Optional<String> text = require(expected).text();
        if (text.isPresent() && text.get().isBlank()) {
            bad(expected, "\"" + text.get() + "\"");
        }
        return text.orElse("");
    }

    Optional<Path> file() {
        return text().flatMap(name -> {
            try {
                if (!name.isBlank()) {
                    return Optional.of(Path.of(name));
                }
            } catch (InvalidPathException e) {
                // noted below, as the blank one is
            }
            bad("the name of a file", shown(name));
            return Optional.empty();
        });
    }

    Duration duration(Duration otherwise) {
        Optional<String> text = text();
        if (text.isEmpty()) {
            return otherwise;
        }
        var parts = DURATION.matcher(text.get());
        if (parts.matches()) {
            String fraction = parts.group(2) == null ? "" : parts.group(2);
            long nanos = Long.parseLong((fraction + "000000000").substring(0, 9));
            Duration duration = Duration.ofSeconds(Long.parseLong(parts.group(1)), nanos);
            if (duration.isPositive()) {
                return duration;
            }
        }
        bad("a positive duration such as 600s", shown(text.get()));
        return otherwise;
    }

    /** The elements; none if this is absent or, which is noted, not a list. */
    List<JsonField> elements() {
        List<JsonField> elements = new ArrayList<>();
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                elements.add(new JsonField(node.get(i), path + "[" + i + "]", errors));
            }
        } else if (!isAbsent()) {
            wrongType("a list");
        }
        return elements;
    }

    /** The elements, at least one. */
    List<JsonField> requireElements(String expected) {
        List<JsonField> elements = require(expected).elements();
        if (node.isArray() && elements.isEmpty()) {
            errors.add(new BootstrapError.Empty(path, expected));
        }
        return elements;
    }

    /** The fields by name; none if this is absent or, which is noted, not an object. */
    Map<String, JsonField> entries() {
        Map<String, JsonField> entries = new LinkedHashMap<>();
        if (object().node.isObject()) {
            node.properties()
                    .forEach(entry -> entries.put(
                            entry.getKey(),
                            new JsonField(entry.getValue(), path + "[" + shown(entry.getKey()) + "]", errors)));
        }
        return entries;
    }

    void bad(String expected, String found) {
        errors.add(new BootstrapError.BadValue(path, expected, found));
    }

    void note(BootstrapError error) {
        errors.add(error);
    }

    private void wrongType(String expected) {
        errors.add(new BootstrapError.WrongType(
                path, expected, node.getNodeType().name().toLowerCase(Locale.ROOT) + " " + shown(node.toString())));
    }

    static String shown(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }
}
