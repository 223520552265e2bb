package io.parley.xds.bootstrap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;

/** A protobuf struct as JSON. */
final class StructJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private StructJson() {}

    static ObjectNode of(Struct struct) {
        ObjectNode object = JSON.objectNode();
        struct.getFieldsMap().forEach((name, value) -> object.set(name, of(value)));
        return object;
    }

    private static JsonNode of(Value value) {
        return switch (value.getKindCase()) {
            case STRUCT_VALUE -> of(value.getStructValue());
            case LIST_VALUE -> {
                ArrayNode list = JSON.arrayNode();
                value.getListValue().getValuesList().forEach(element -> list.add(of(element)));
                yield list;
            }
            case STRING_VALUE -> JSON.textNode(value.getStringValue());
            case BOOL_VALUE -> JSON.booleanNode(value.getBoolValue());
            case NUMBER_VALUE -> number(value.getNumberValue());
            case NULL_VALUE, KIND_NOT_SET -> JSON.nullNode();
        };
    }

    /** Whole numbers without a fraction, as people wrote them. */
    private static JsonNode number(double number) {
        long whole = (long) number;
        return Double.compare((double) whole, number) == 0 ? JSON.numberNode(whole) : JSON.numberNode(number);
    }
}
