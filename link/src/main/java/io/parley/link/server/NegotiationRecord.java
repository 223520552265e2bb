package io.parley.link.server;

import io.parley.agreement.version.ConnectedNode;
import io.parley.agreement.version.NegotiationAnswer;
import io.parley.agreement.version.NegotiationRequest;
import io.parley.agreement.version.NodeDescription;
import io.parley.agreement.version.Requester;
import io.parley.agreement.version.ServiceOffer;
import io.parley.agreement.version.ServiceOutcome;
import io.parley.link.PeerText;
import io.parley.link.auth.NodePrincipal;
import java.time.Instant;
import java.util.List;

/**
 * One negotiation, for people: what was offered, and what became of each service and why.
 *
 * @param nodeId the node's own id
 * @param request of an invalid one only the beginning, since it may have failed the very limits that keep a request small
 */
public record NegotiationRecord(
        String nodeId,
        NodePrincipal principal,
        Requester requester,
        NegotiationRequest request,
        NegotiationAnswer answer,
        Instant at) {
    private static final int SHOWN_ENTRIES = 20;
    private static final int SHOWN_LENGTH = 256;

    public NegotiationRecord {
        if (answer instanceof NegotiationAnswer.Invalid) {
            request = beginningOf(request);
        }
    }

    public List<ServiceOutcome.Accepted> accepted() {
        return answer instanceof NegotiationAnswer.Answered answered ? answered.accepted() : List.of();
    }

    public List<ServiceOutcome.Rejected> rejected() {
        return answer instanceof NegotiationAnswer.Answered answered ? answered.rejected() : List.of();
    }

    /** What is accepted today and will not be one day. */
    public List<ServiceOutcome.Accepted> deprecations() {
        return accepted().stream()
                .filter(accepted -> accepted.standing() == ServiceOutcome.Standing.DEPRECATED)
                .toList();
    }

    ConnectedNode connected() {
        return new ConnectedNode(requester, request);
    }

    private static NegotiationRequest beginningOf(NegotiationRequest request) {
        NodeDescription node = request.node();
        return new NegotiationRequest(
                node == null
                        ? null
                        : new NodeDescription(
                                shown(node.id()), shown(node.type()), shown(node.version()), shown(node.hostname())),
                request.services().stream()
                        .limit(SHOWN_ENTRIES)
                        .map(NegotiationRecord::beginningOf)
                        .toList(),
                request.metadata());
    }

    private static ServiceOffer beginningOf(ServiceOffer offer) {
        return new ServiceOffer(
                shown(offer.name()),
                offer.versions().stream()
                        .limit(SHOWN_ENTRIES)
                        .map(NegotiationRecord::shown)
                        .toList());
    }

    private static String shown(String text) {
        return PeerText.cut(text, SHOWN_LENGTH);
    }
}
