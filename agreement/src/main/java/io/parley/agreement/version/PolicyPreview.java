package io.parley.agreement.version;

import java.util.List;
import java.util.Optional;

/**
 * What would become of a connected node if other policies were in force: the same rule as the real negotiation, asked twice.
 */
public record PolicyPreview(ConnectedNode node, NegotiationAnswer before, NegotiationAnswer after, Effect effect) {
    /** The worst thing that would happen to any of the node's services, best first. */
    public enum Effect {
        /** Every service that it uses stays in the version that it has, or in one that the control plane prefers. */
        ACCEPTED,
        /** A service would go on in a version that the control plane prefers less. */
        DOWNGRADED,
        /** A service that it uses would be lost. */
        REJECTED
    }

    /** The same nodes in the same order, each with its fate. */
    public static List<PolicyPreview> of(
            ServiceCatalog catalog, PolicySet now, PolicySet then, List<ConnectedNode> nodes) {
        var before = new Negotiator(catalog, now);
        var after = new Negotiator(catalog, then);
        return nodes.stream()
                .map(node -> compare(
                        catalog,
                        node,
                        before.answer(node.requester(), node.request()),
                        after.answer(node.requester(), node.request())))
                .toList();
    }

    private static PolicyPreview compare(
            ServiceCatalog catalog, ConnectedNode node, NegotiationAnswer before, NegotiationAnswer after) {
        Effect worst = Effect.ACCEPTED;
        if (before instanceof NegotiationAnswer.Answered was && after instanceof NegotiationAnswer.Answered becomes) {
            for (ServiceOutcome.Accepted accepted : was.accepted()) {
                Effect effect = effect(catalog, accepted, becomes.find(accepted.service()));
                worst = effect.compareTo(worst) > 0 ? effect : worst;
            }
        }
        return new PolicyPreview(node, before, after, worst);
    }

    private static Effect effect(
            ServiceCatalog catalog, ServiceOutcome.Accepted was, Optional<ServiceOutcome> becomes) {
        if (!(becomes.orElse(null) instanceof ServiceOutcome.Accepted then)) {
            return Effect.REJECTED;
        }
        List<String> preferredFirst =
                catalog.find(was.service()).map(OfferedService::versions).orElse(List.of());
        int wasAt = preferredFirst.indexOf(was.version().value());
        int thenAt = preferredFirst.indexOf(then.version().value());
        return thenAt > wasAt ? Effect.DOWNGRADED : Effect.ACCEPTED;
    }
}
