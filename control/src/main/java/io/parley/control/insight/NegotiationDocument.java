package io.parley.control.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.agreement.version.ConnectedNode;
import io.parley.agreement.version.NegotiationAnswer;
import io.parley.agreement.version.NegotiationRequest;
import io.parley.agreement.version.NodeDescription;
import io.parley.agreement.version.Requester;
import io.parley.agreement.version.ServiceOffer;
import io.parley.agreement.version.ServiceOutcome;
import io.parley.link.server.NegotiationRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A negotiation as part of an insight: what was offered and what became of it, for people, and enough of who asked to answer the same
 * question again under other policies.
 */
public final class NegotiationDocument {
    private NegotiationDocument() {}

    static ObjectNode write(NegotiationRecord record) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("time", record.at().toString());
        NodeDescription node = record.request().node();
        if (node != null) {
            ObjectNode described = tree.putObject("node");
            described.put("id", record.nodeId());
            described.put("type", node.type());
            described.put("version", node.version());
            described.put("hostname", node.hostname());
        }
        tree.put("tenant", record.requester().tenant());
        ObjectNode labels = tree.putObject("labels");
        record.requester().labels().forEach(labels::put);
        ArrayNode offered = tree.putArray("offered");
        for (ServiceOffer offer : record.request().services()) {
            ObjectNode each = offered.addObject();
            each.put("service", offer.name());
            offer.versions().forEach(each.putArray("versions")::add);
        }
        writeAnswer(tree, record.answer());
        return tree;
    }

    private static void writeAnswer(ObjectNode tree, NegotiationAnswer answer) {
        switch (answer) {
            case NegotiationAnswer.Invalid(String message) -> tree.put("problem", message);
            case NegotiationAnswer.Answered answered -> {
                ArrayNode accepted = tree.putArray("accepted");
                answered.accepted().forEach(each -> writeAccepted(accepted.addObject(), each));
                ArrayNode rejected = tree.putArray("rejected");
                for (ServiceOutcome.Rejected each : answered.rejected()) {
                    ObjectNode node = rejected.addObject();
                    node.put("service", each.service());
                    node.put("message", each.message());
                    node.put("source", each.reason().source().toString());
                }
            }
        }
    }

    private static void writeAccepted(ObjectNode node, ServiceOutcome.Accepted accepted) {
        node.put("service", accepted.service());
        node.put("version", accepted.version().value());
        node.put("message", accepted.message());
        node.put("because", accepted.version().because());
        node.put("source", accepted.version().source().toString());
        if (accepted.standing() == ServiceOutcome.Standing.DEPRECATED) {
            node.put("deprecated", true);
        }
    }

    /** Who asked for what, as {@link #write} wrote it. */
    public static ConnectedNode read(JsonNode tree) {
        Map<String, String> labels = new HashMap<>();
        tree.path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        List<ServiceOffer> offers = new ArrayList<>();
        for (JsonNode offer : tree.path("offered")) {
            List<String> versions = new ArrayList<>();
            offer.path("versions").forEach(version -> versions.add(version.asText()));
            offers.add(new ServiceOffer(offer.path("service").asText(), versions));
        }
        JsonNode node = tree.path("node");
        String id = node.path("id").asText();
        return new ConnectedNode(
                new Requester(tree.path("tenant").asText(), labels, id),
                new NegotiationRequest(
                        new NodeDescription(
                                id,
                                node.path("type").asText(),
                                node.path("version").asText(),
                                node.path("hostname").asText()),
                        offers,
                        Map.of()));
    }
}
