package io.parley.agreement.version;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The control plane's side of a negotiation: a pure function of what it serves, the policies in force, who asks and what for.
 * It keeps nothing, so a result can never outlive the connection that it was made for.
 */
public record Negotiator(ServiceCatalog catalog, PolicySet policies) {
    public NegotiationAnswer answer(Requester requester, NegotiationRequest request) {
        NodeDescription node = request.node();
        if (node == null) {
            return new NegotiationAnswer.Invalid("node: missing (expected: type and version of the data plane)");
        }
        Optional<String> violation = RequestRules.violation(requester, node, request.services());
        if (violation.isPresent()) {
            return new NegotiationAnswer.Invalid(violation.get());
        }
        return new NegotiationAnswer.Answered(request.services().stream()
                .map(offer -> answerOne(requester, node, offer))
                .toList());
    }

    /** Whether a node that already uses this version may go on: not if it is gone or a policy now withholds it. */
    public boolean permits(Requester requester, NodeDescription node, String service, String version) {
        return catalog.find(service)
                .map(offered -> policies.choiceFor(offered, requester, node))
                .filter(choice -> choice.available().contains(version))
                .isPresent();
    }

    private ServiceOutcome answerOne(Requester requester, NodeDescription node, ServiceOffer offer) {
        return catalog.find(offer.name())
                .map(service -> policies.choiceFor(service, requester, node).answer(offer))
                .orElseGet(() -> unknown(offer));
    }

    private ServiceOutcome unknown(ServiceOffer offer) {
        String known = catalog.services().stream().map(OfferedService::name).collect(Collectors.joining(", "));
        return new ServiceOutcome.Rejected(
                offer.name(),
                new Decision<>(
                        Rejection.UNKNOWN_SERVICE,
                        "unknown service; available: " + known,
                        Source.ofRule("service catalog")));
    }
}
