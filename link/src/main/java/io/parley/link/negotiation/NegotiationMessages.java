package io.parley.link.negotiation;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.parley.agreement.version.NegotiationAnswer;
import io.parley.agreement.version.NegotiationRequest;
import io.parley.agreement.version.NodeDescription;
import io.parley.agreement.version.ServiceOffer;
import io.parley.agreement.version.ServiceOutcome;
import io.parley.wire.wrpc.proto.AcceptedService;
import io.parley.wire.wrpc.proto.ControlPlaneNode;
import io.parley.wire.wrpc.proto.DataPlaneNode;
import io.parley.wire.wrpc.proto.NegotiateServicesRequest;
import io.parley.wire.wrpc.proto.NegotiateServicesResponse;
import io.parley.wire.wrpc.proto.RejectedService;
import io.parley.wire.wrpc.proto.ServiceRequest;
import java.util.Map;
import java.util.TreeMap;

/** The messages of the negotiation, as values of the rules. */
public final class NegotiationMessages {
    private static final int MAX_METADATA = 64;
    private static final int MAX_METADATA_TEXT = 256;

    private NegotiationMessages() {}

    public static NegotiationRequest read(NegotiateServicesRequest request) {
        return new NegotiationRequest(
                request.hasNode() ? read(request.getNode()) : null,
                request.getServicesRequestedList().stream()
                        .map(service -> new ServiceOffer(service.getName(), service.getVersionsList()))
                        .toList(),
                metadata(request.getMetadata()));
    }

    public static NegotiateServicesRequest write(NegotiationRequest request) {
        var message = NegotiateServicesRequest.newBuilder();
        NodeDescription node = request.node();
        if (node != null) {
            message.setNode(DataPlaneNode.newBuilder()
                    .setId(node.id())
                    .setType(node.type())
                    .setVersion(node.version())
                    .setHostname(node.hostname()));
        }
        for (ServiceOffer offer : request.services()) {
            message.addServicesRequested(
                    ServiceRequest.newBuilder().setName(offer.name()).addAllVersions(offer.versions()));
        }
        if (!request.metadata().isEmpty()) {
            var struct = Struct.newBuilder();
            new TreeMap<>(request.metadata())
                    .forEach((key, text) -> struct.putFields(
                            key, Value.newBuilder().setStringValue(text).build()));
            message.setMetadata(struct.build().toByteString());
        }
        return message.build();
    }

    /** An invalid request is answered by the message alone, as the design document demands. */
    public static NegotiateServicesResponse write(NegotiationAnswer answer, String controlPlaneId) {
        var message = NegotiateServicesResponse.newBuilder();
        switch (answer) {
            case NegotiationAnswer.Invalid(String reason) -> message.setMessage(reason);
            case NegotiationAnswer.Answered answered -> {
                message.setNode(ControlPlaneNode.newBuilder().setId(controlPlaneId));
                answered.outcomes().forEach(outcome -> add(message, outcome));
            }
        }
        return message.build();
    }

    private static void add(NegotiateServicesResponse.Builder message, ServiceOutcome outcome) {
        switch (outcome) {
            case ServiceOutcome.Accepted accepted ->
                message.addServicesAccepted(AcceptedService.newBuilder()
                        .setName(accepted.service())
                        .setVersion(accepted.version().value())
                        .setMessage(accepted.message()));
            case ServiceOutcome.Rejected rejected ->
                message.addServicesRejected(
                        RejectedService.newBuilder().setName(rejected.service()).setMessage(rejected.message()));
        }
    }

    private static NodeDescription read(DataPlaneNode node) {
        return new NodeDescription(node.getId(), node.getType(), node.getVersion(), node.getHostname());
    }

    /** The scalars of a struct as text. What is no struct, or not scalar, or too much, is left out: it decides nothing. */
    private static Map<String, String> metadata(ByteString bytes) {
        try {
            var texts = new TreeMap<String, String>();
            Struct.parseFrom(bytes).getFieldsMap().forEach((key, value) -> {
                String text = scalar(value);
                boolean fits = key.length() <= MAX_METADATA_TEXT && text.length() <= MAX_METADATA_TEXT;
                if (!text.isEmpty() && fits && texts.size() < MAX_METADATA) {
                    texts.put(key, text);
                }
            });
            return texts;
        } catch (InvalidProtocolBufferException _) {
            return Map.of();
        }
    }

    private static String scalar(Value value) {
        return switch (value.getKindCase()) {
            case STRING_VALUE -> value.getStringValue();
            case NUMBER_VALUE -> String.valueOf(value.getNumberValue());
            case BOOL_VALUE -> String.valueOf(value.getBoolValue());
            case NULL_VALUE, STRUCT_VALUE, LIST_VALUE, KIND_NOT_SET -> "";
        };
    }
}
