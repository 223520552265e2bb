package io.parley.sync.codec;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.parley.resource.Document;
import io.parley.resource.kind.Kind;
import io.parley.wire.sync.proto.Config;
import io.parley.wire.sync.proto.Dataplane;
import io.parley.wire.sync.proto.DataplaneInsight;
import io.parley.wire.sync.proto.ExternalService;
import io.parley.wire.sync.proto.Mesh;
import io.parley.wire.sync.proto.MeshGateway;
import io.parley.wire.sync.proto.Secret;
import io.parley.wire.sync.proto.ServiceInsight;
import io.parley.wire.sync.proto.TrafficPermission;
import io.parley.wire.sync.proto.VirtualOutbound;
import io.parley.wire.sync.proto.ZoneEgress;
import io.parley.wire.sync.proto.ZoneEgressInsight;
import io.parley.wire.sync.proto.ZoneIngress;
import io.parley.wire.sync.proto.ZoneIngressInsight;
import java.util.Map;
import java.util.Optional;

/** Specs as protobuf messages, for peers that know no other form of the older kinds. What the messages lack does not travel. */
final class SpecMessages {
    private static final Map<String, Message> BY_KIND = Map.ofEntries(
            Map.entry("Mesh", Mesh.getDefaultInstance()),
            Map.entry("Dataplane", Dataplane.getDefaultInstance()),
            Map.entry("DataplaneInsight", DataplaneInsight.getDefaultInstance()),
            Map.entry("ZoneIngress", ZoneIngress.getDefaultInstance()),
            Map.entry("ZoneIngressInsight", ZoneIngressInsight.getDefaultInstance()),
            Map.entry("ZoneEgress", ZoneEgress.getDefaultInstance()),
            Map.entry("ZoneEgressInsight", ZoneEgressInsight.getDefaultInstance()),
            Map.entry("Secret", Secret.getDefaultInstance()),
            Map.entry("GlobalSecret", Secret.getDefaultInstance()),
            Map.entry("Config", Config.getDefaultInstance()),
            Map.entry("MeshGateway", MeshGateway.getDefaultInstance()),
            Map.entry("ServiceInsight", ServiceInsight.getDefaultInstance()),
            Map.entry("ExternalService", ExternalService.getDefaultInstance()),
            Map.entry("TrafficPermission", TrafficPermission.getDefaultInstance()),
            Map.entry("VirtualOutbound", VirtualOutbound.getDefaultInstance()));

    private static final JsonFormat.Parser PARSER = JsonFormat.parser().ignoringUnknownFields();
    private static final JsonFormat.Printer PRINTER = JsonFormat.printer().omittingInsignificantWhitespace();

    private SpecMessages() {}

    /** Whether there is a message for the kind. */
    static boolean know(Kind kind) {
        return BY_KIND.containsKey(kind.name());
    }

    /** The spec as its message; nothing if we have no message for the kind, or the spec does not fit it. */
    static Optional<Any> pack(Kind kind, Document spec) {
        Message empty = BY_KIND.get(kind.name());
        if (empty == null) {
            return Optional.empty();
        }
        try {
            Message.Builder message = empty.newBuilderForType();
            PARSER.merge(spec.json(), message);
            return Optional.of(Any.pack(message.build()));
        } catch (InvalidProtocolBufferException _) {
            return Optional.empty();
        }
    }

    /** The JSON of a message that a peer sent. */
    static String unpack(Kind kind, Any spec) throws InvalidProtocolBufferException {
        Message empty = BY_KIND.get(kind.name());
        String expected = empty == null ? "JSON without a type" : urlOf(empty);
        if (empty == null || !spec.getTypeUrl().equals(expected)) {
            throw new InvalidProtocolBufferException(
                    "spec.type_url: " + spec.getTypeUrl() + " (expected: " + expected + ")");
        }
        return PRINTER.print(empty.getParserForType().parseFrom(spec.getValue()));
    }

    private static String urlOf(Message message) {
        return "type.googleapis.com/" + message.getDescriptorForType().getFullName();
    }
}
