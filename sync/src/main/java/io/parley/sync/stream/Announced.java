package io.parley.sync.stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.parley.agreement.sync.Features;
import java.util.List;

/** What a peer announces in its requests: Kuma's control planes do so beside the headers. */
final class Announced {
    private static final int MOST_FEATURES = 100;

    private Announced() {}

    /** The features of an encoded node; none if it cannot be read, since who asks is known otherwise. */
    static Features by(ByteString node) {
        try {
            return Features.parse(texts(Node.parseFrom(node)));
        } catch (InvalidProtocolBufferException _) {
            return Features.NONE;
        }
    }

    private static List<String> texts(Node node) {
        return node
                .getMetadata()
                .getFieldsOrDefault("features", Value.getDefaultInstance())
                .getListValue()
                .getValuesList()
                .stream()
                .limit(MOST_FEATURES)
                .map(Value::getStringValue)
                .toList();
    }
}
