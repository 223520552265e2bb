package io.parley.sync.grpc;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.parley.agreement.sync.Features;

/** How either side introduces itself in the first request of a kind. The id is the zone's, also when it is global who asks. */
public final class PeerNode {
    private PeerNode() {}

    public static Node of(String zone, String instance, String release, Features features) {
        ListValue.Builder list = ListValue.newBuilder();
        features.texts().forEach(text -> list.addValues(text(text)));
        Struct version = struct(
                "kumaCp",
                Value.newBuilder()
                        .setStructValue(struct("version", text(release)))
                        .build());
        return Node.newBuilder()
                .setId(zone)
                .setMetadata(Struct.newBuilder()
                        .putFields(
                                "version",
                                Value.newBuilder().setStructValue(version).build())
                        .putFields("control-plane-id", text(instance))
                        .putFields(
                                "features",
                                Value.newBuilder().setListValue(list).build()))
                .build();
    }

    private static Struct struct(String field, Value value) {
        return Struct.newBuilder().putFields(field, value).build();
    }

    private static Value text(String text) {
        return Value.newBuilder().setStringValue(text).build();
    }
}
