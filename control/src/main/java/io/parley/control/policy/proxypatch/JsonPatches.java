package io.parley.control.policy.proxypatch;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.policy.proxypatch.JsonPatch;
import java.util.List;

/** RFC 6902, the operations that a MeshProxyPatch has. */
final class JsonPatches {
    private JsonPatches() {}

    static JsonNode apply(JsonNode document, List<JsonPatch> patches) {
        JsonNode changed = document.deepCopy();
        for (JsonPatch patch : patches) {
            changed = apply(changed, patch);
        }
        return changed;
    }

    private static JsonNode apply(JsonNode document, JsonPatch patch) {
        JsonPointer path = JsonPointer.compile(patch.path());
        JsonNode value = patch.value() == null ? NullNode.getInstance() : patch.value();
        return switch (patch.op()) {
            case ADD -> add(document, path, value.deepCopy());
            case REPLACE -> {
                require(document, path);
                yield path.matches() ? value.deepCopy() : add(remove(document, path), path, value.deepCopy());
            }
            case REMOVE -> remove(document, path);
            case COPY -> add(document, path, require(document, from(patch)).deepCopy());
            case MOVE -> {
                JsonNode moved = require(document, from(patch)).deepCopy();
                yield add(remove(document, from(patch)), path, moved);
            }
        };
    }

    private static JsonPointer from(JsonPatch patch) {
        return JsonPointer.compile(patch.from() == null ? "" : patch.from());
    }

    private static JsonNode add(JsonNode document, JsonPointer path, JsonNode value) {
        if (path.matches()) {
            return value;
        }
        String last = path.last().getMatchingProperty();
        switch (require(document, path.head())) {
            case ObjectNode object -> object.set(last, value);
            case ArrayNode array -> {
                int at = last.equals("-") ? array.size() : path.last().getMatchingIndex();
                if (at < 0 || at > array.size()) {
                    throw new IllegalArgumentException(path + ": no such place in a list of " + array.size());
                }
                array.insert(at, value);
            }
            default -> throw new IllegalArgumentException(path + ": its parent is neither an object nor a list");
        }
        return document;
    }

    private static JsonNode remove(JsonNode document, JsonPointer path) {
        require(document, path);
        switch (document.at(path.head())) {
            case ObjectNode object -> object.remove(path.last().getMatchingProperty());
            case ArrayNode array -> array.remove(path.last().getMatchingIndex());
            default -> throw new IllegalArgumentException(path + ": cannot be removed");
        }
        return document;
    }

    private static JsonNode require(JsonNode document, JsonPointer path) {
        JsonNode node = document.at(path);
        if (node.isMissingNode()) {
            throw new IllegalArgumentException(path + ": not there (expected: a place that exists)");
        }
        return node;
    }
}
