package io.parley.agreement.version;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What makes a request valid, after the design document: the required fields are there. The limits are ours. */
final class RequestRules {
    private static final Set<String> NODE_TYPES = Set.of("KONG", "PARLEY");
    private static final int MAX_SERVICES = 100;
    private static final int MAX_VERSIONS = 100;
    private static final int MAX_TEXT = 256;

    private RequestRules() {}

    /** The first thing wrong with the request, in words for the person who runs the node. */
    static Optional<String> violation(Requester requester, NodeDescription node, List<ServiceOffer> services) {
        return nodeViolation(requester, node).or(() -> servicesViolation(services));
    }

    private static Optional<String> nodeViolation(Requester requester, NodeDescription node) {
        if (!NODE_TYPES.contains(node.type())) {
            return Optional.of("node.type: " + shown(node.type()) + " (expected: KONG or PARLEY)");
        }
        if (node.version().isEmpty()) {
            return Optional.of("node.version: empty (expected: the data plane's version)");
        }
        if (node.id().isEmpty() && requester.nodeId().isEmpty()) {
            return Optional.of("node.id: empty (expected: an id here or as node_id in the URL)");
        }
        if (!node.id().isEmpty() && !requester.nodeId().isEmpty() && !node.id().equals(requester.nodeId())) {
            return Optional.of("node.id: " + shown(node.id()) + " (expected: " + shown(requester.nodeId())
                    + ", the node_id of the URL)");
        }
        return tooLong("node.id", node.id())
                .or(() -> tooLong("node.version", node.version()))
                .or(() -> tooLong("node.hostname", node.hostname()));
    }

    private static Optional<String> servicesViolation(List<ServiceOffer> services) {
        if (services.isEmpty()) {
            return Optional.of("services_requested: none (expected: at least one service)");
        }
        if (services.size() > MAX_SERVICES) {
            return Optional.of("services_requested: " + services.size() + " (expected: at most " + MAX_SERVICES + ")");
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < services.size(); i++) {
            Optional<String> violation = offerViolation("services_requested[" + i + "]", services.get(i), seen);
            if (violation.isPresent()) {
                return violation;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> offerViolation(String path, ServiceOffer offer, Set<String> seen) {
        if (offer.name().isEmpty()) {
            return Optional.of(path + ".name: empty (expected: the name of a service)");
        }
        Optional<String> tooLong = tooLong(path + ".name", offer.name());
        if (tooLong.isPresent()) {
            return tooLong;
        }
        if (!seen.add(offer.name())) {
            return Optional.of(path + ".name: " + shown(offer.name()) + " (expected: each service once)");
        }
        int count = offer.versions().size();
        if (count == 0 || count > MAX_VERSIONS) {
            return Optional.of(path + ".versions: " + count + " for service " + shown(offer.name())
                    + " (expected: 1 to " + MAX_VERSIONS + ")");
        }
        if (offer.versions().contains("")) {
            return Optional.of(path + ".versions: an empty one for service " + shown(offer.name())
                    + " (expected: a name such as v1)");
        }
        return offer.versions().stream()
                .flatMap(version -> tooLong(path + ".versions", version).stream())
                .findFirst();
    }

    private static Optional<String> tooLong(String path, String text) {
        return text.length() > MAX_TEXT
                ? Optional.of(path + ": " + text.length() + " characters (expected: at most " + MAX_TEXT + ")")
                : Optional.empty();
    }

    private static String shown(String text) {
        return text.isEmpty() ? "empty" : text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "\u2026" : text;
    }
}
