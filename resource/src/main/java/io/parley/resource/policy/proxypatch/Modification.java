package io.parley.resource.policy.proxypatch;

import io.parley.resource.read.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One change to what was generated for a proxy.
 *
 * @param match what is changed; null for all of the subject
 * @param value YAML of the thing that is added, or of what is merged into it
 */
public record Modification(
        Subject subject,
        Operation operation,
        @Nullable Match match,
        @Nullable String value,
        List<JsonPatch> jsonPatches) {
    private static final Map<String, Function<Fields, Modification>> READERS = readers();

    public Modification {
        jsonPatches = List.copyOf(jsonPatches);
    }

    static Modification read(Fields fields) {
        return fields.requireOneOf(READERS);
    }

    private static Map<String, Function<Fields, Modification>> readers() {
        Map<String, Function<Fields, Modification>> readers = new LinkedHashMap<>();
        for (Subject subject : Subject.values()) {
            readers.put(subject.toString(), fields -> read(subject, fields));
        }
        return readers;
    }

    private static Modification read(Subject subject, Fields fields) {
        Operation operation = fields.at("operation").requireChoice(subject.operations());
        Match match = fields.at("match").object(matched -> Match.read(matched, subject));
        switch (operation) {
            case ADD -> {
                checkAddition(subject, match, fields);
                needValue(fields);
            }
            case ADD_FIRST, ADD_LAST -> needValue(fields);
            case ADD_BEFORE, ADD_AFTER -> {
                needName(match, fields);
                needValue(fields);
            }
            case PATCH -> {
                if (subject.isFilter()) {
                    needName(match, fields);
                }
                var _ = fields.needOneOf("value", "jsonPatches");
            }
            case REMOVE -> {
                fields.refuse("value", "there is nothing to add");
                fields.refuse("jsonPatches", "there is nothing to change");
            }
        }
        return new Modification(
                subject,
                operation,
                match,
                fields.at("value").text("a mapping in YAML", EnvoyYaml::isMapping),
                fields.at("jsonPatches").objects(JsonPatch::read));
    }

    private static void checkAddition(Subject subject, @Nullable Match match, Fields fields) {
        if (subject == Subject.VIRTUAL_HOST) {
            // A virtual host is added to a route configuration, which the match may pick.
            if (match != null && match.name() != null) {
                fields.fail("match", "name is not allowed here (what is added has no match yet)");
            }
        } else {
            fields.refuse("match", "what is added has no match yet");
        }
    }

    private static void needValue(Fields fields) {
        if (!fields.has("value")) {
            fields.fail("value", "missing (expected: what to add, as YAML)");
        }
        fields.refuse("jsonPatches", "there is nothing to change");
    }

    private static void needName(@Nullable Match match, Fields fields) {
        if (match == null || match.name() == null) {
            fields.fail("match", "name is missing (expected: the name of the filter that is meant)");
        }
    }
}
