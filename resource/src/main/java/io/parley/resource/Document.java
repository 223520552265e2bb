package io.parley.resource;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A JSON object that cannot change, kept as compact text. Text is what the store keeps, what is hashed and what goes out on the
 * wire, so most documents are never parsed at all; whoever needs the tree gets a copy of its own.
 *
 * @param json one JSON object without white space between tokens, fields in the order in which they were written
 */
public record Document(String json) {
    public static final Document EMPTY = new Document("{}");

    // Our own text, written by us from a bounded tree: limits belong where strangers' bytes are read, not here.
    // Numbers come back as they were written: 100.0 neither loses its digit nor turns into 1E+2.
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    public Document {
        requireNonNull(json, "json");
    }

    public static Document of(ObjectNode tree) {
        try {
            return new Document(MAPPER.writeValueAsString(tree));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree in memory could not be written", e);
        }
    }

    /** A fresh copy that the caller may change. */
    public ObjectNode tree() {
        try {
            JsonNode node = MAPPER.readTree(json);
            if (node instanceof ObjectNode object) {
                return object;
            }
            throw new IllegalStateException("not a JSON object: " + json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("not JSON: " + json, e);
        }
    }

    @Override
    public String toString() {
        return json;
    }
}
