package io.parley.link.negotiation;

import io.parley.agreement.version.ServiceOffer;
import io.parley.link.PeerText;
import io.parley.wire.wrpc.proto.AcceptedService;
import io.parley.wire.wrpc.proto.NegotiateServicesResponse;
import io.parley.wire.wrpc.proto.RejectedService;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a node believes of an answer: everything that it asked for is answered exactly once, with a version that it offered, and nothing
 * else is. Anything less and the two sides would go on with different ideas of what was agreed.
 */
public sealed interface AnswerCheck {
    /**
     * The answer holds.
     *
     * @param accepted service to version
     * @param rejected service to the reason
     * @param notes service to what the control plane says about the version, where it says anything
     */
    record Agreed(
            String controlPlaneId,
            Map<String, String> accepted,
            Map<String, String> rejected,
            Map<String, String> notes)
            implements AnswerCheck {
        public Agreed {
            accepted = Map.copyOf(accepted);
            rejected = Map.copyOf(rejected);
            notes = Map.copyOf(notes);
        }
    }

    /** The negotiation failed, and why. */
    record Failed(String reason) implements AnswerCheck {}

    static AnswerCheck of(List<ServiceOffer> offered, NegotiateServicesResponse response) {
        // Whatever else is set: a control plane that says what is wrong has not agreed.
        if (!response.getMessage().isEmpty()) {
            return new Failed("control plane refuses the negotiation: " + PeerText.cut(response.getMessage()));
        }
        if (!response.hasNode()) {
            return new Failed("control plane's answer is empty (expected: node and a list of services)");
        }
        Map<String, List<String>> open = offered.stream()
                .collect(Collectors.toMap(ServiceOffer::name, ServiceOffer::versions, (a, _) -> a, LinkedHashMap::new));
        var accepted = new LinkedHashMap<String, String>();
        var notes = new LinkedHashMap<String, String>();
        for (AcceptedService service : response.getServicesAcceptedList()) {
            List<String> versions = open.remove(service.getName());
            if (versions == null) {
                return answeredTwiceOrUnasked(service.getName());
            }
            if (!versions.contains(service.getVersion())) {
                return new Failed("control plane accepted " + service.getName() + " in version \""
                        + PeerText.cut(service.getVersion()) + "\" (expected: one of " + versions + ")");
            }
            accepted.put(service.getName(), service.getVersion());
            notes.put(service.getName(), PeerText.cut(service.getMessage()));
        }
        var rejected = new LinkedHashMap<String, String>();
        for (RejectedService service : response.getServicesRejectedList()) {
            if (open.remove(service.getName()) == null) {
                return answeredTwiceOrUnasked(service.getName());
            }
            rejected.put(service.getName(), PeerText.cut(service.getMessage()));
        }
        if (!open.isEmpty()) {
            return new Failed("control plane left services unanswered: " + open.keySet());
        }
        notes.values().removeIf(String::isEmpty);
        return new Agreed(PeerText.cut(response.getNode().getId()), accepted, rejected, notes);
    }

    private static Failed answeredTwiceOrUnasked(String service) {
        return new Failed("control plane answered \"" + PeerText.cut(service)
                + "\" twice or unasked (expected: each service once)");
    }
}
