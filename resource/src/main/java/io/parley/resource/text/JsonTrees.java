package io.parley.resource.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON values, one after the other. */
final class JsonTrees {
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(Limits.JSON_DEPTH)
                            .maxTokenCount(2L * Limits.NODES)
                            .maxNumberLength(Limits.NUMBER_LENGTH)
                            .maxNameLength(Limits.BYTES)
                            .maxStringLength(Limits.BYTES)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private JsonTrees() {}

    static List<TextDocument> read(String text) {
        List<TextDocument> documents = new ArrayList<>();
        int index = 0;
        try (MappingIterator<JsonNode> values = MAPPER.readerFor(JsonNode.class).readValues(text)) {
            for (; values.hasNextValue(); index++) {
                JsonNode tree = values.nextValue();
                refuseUnstorable(tree);
                if (!tree.isNull()) {
                    documents.add(new TextDocument.Read(index, tree));
                }
            }
        } catch (StreamConstraintsException e) {
            documents.add(new TextDocument.Unreadable(
                    index,
                    positionOf(e),
                    "too large (expected: at most " + Limits.JSON_DEPTH + " levels, " + Limits.NODES
                            + " values and numbers of " + Limits.NUMBER_LENGTH + " digits)"));
        } catch (JsonProcessingException e) {
            documents.add(new TextDocument.Unreadable(index, positionOf(e), "not JSON: " + e.getOriginalMessage()));
        } catch (TextFault fault) {
            documents.add(fault.in(index));
        } catch (IOException e) {
            throw new IllegalStateException("text in memory could not be read", e);
        }
        return documents;
    }

    private static void refuseUnstorable(JsonNode node) {
        if (node.isTextual()) {
            refuseUnstorable(node.textValue());
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            refuseUnstorable(field.getKey());
        }
        for (JsonNode child : node) {
            refuseUnstorable(child);
        }
    }

    private static void refuseUnstorable(String text) {
        if (!Characters.areStorable(text)) {
            throw TextFault.ofText("half a surrogate pair or U+0000 (expected: Unicode text without it)", null);
        }
    }

    private static @Nullable Position positionOf(JsonProcessingException e) {
        JsonLocation at = e.getLocation();
        return at == null ? null : new Position(at.getLineNr(), at.getColumnNr());
    }
}
