package io.parley.xds.bootstrap;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.core.v3.Node;

/** Reads the parts of a node that a file may give; the rest is the client's to fill in. */
final class NodeReader {
    /** A level of JSON is up to four levels of messages, and protobuf parsers stop at a hundred. */
    private static final int MAX_METADATA_DEPTH = 20;

    private NodeReader() {}

    static Node read(JsonField json) {
        Node.Builder node = Node.newBuilder();
        json.object().at("id").text().ifPresent(node::setId);
        json.at("cluster").text().ifPresent(node::setCluster);
        Locality locality = locality(json.at("locality").object());
        if (!locality.equals(Locality.getDefaultInstance())) {
            node.setLocality(locality);
        }
        JsonField metadata = json.at("metadata").object();
        if (depth(metadata.node()) > MAX_METADATA_DEPTH) {
            metadata.bad("at most " + MAX_METADATA_DEPTH + " levels", "deeper nesting");
        } else if (metadata.node().isObject()) {
            node.setMetadata(struct(metadata.node()));
        }
        return node.build();
    }

    private static Locality locality(JsonField json) {
        Locality.Builder locality = Locality.newBuilder();
        json.at("region").text().ifPresent(locality::setRegion);
        json.at("zone").text().ifPresent(locality::setZone);
        json.at("sub_zone").text().ifPresent(locality::setSubZone);
        return locality.build();
    }

    private static int depth(JsonNode json) {
        int deepest = 0;
        for (JsonNode child : json) {
            deepest = Math.max(deepest, depth(child));
        }
        return json.isContainerNode() ? deepest + 1 : 0;
    }

    private static Struct struct(JsonNode json) {
        Struct.Builder struct = Struct.newBuilder();
        json.properties().forEach(entry -> struct.putFields(entry.getKey(), value(entry.getValue())));
        return struct.build();
    }

    private static Value value(JsonNode json) {
        Value.Builder value = Value.newBuilder();
        switch (json.getNodeType()) {
            case OBJECT -> value.setStructValue(struct(json));
            case ARRAY -> {
                ListValue.Builder list = ListValue.newBuilder();
                json.forEach(element -> list.addValues(value(element)));
                value.setListValue(list);
            }
            case STRING -> value.setStringValue(json.textValue());
            case NUMBER -> value.setNumberValue(json.doubleValue());
            case BOOLEAN -> value.setBoolValue(json.booleanValue());
            case NULL, MISSING, BINARY, POJO -> value.setNullValue(NullValue.NULL_VALUE);
        }
        return value.build();
    }
}
