package io.parley.link.server;

import io.parley.agreement.version.ConnectedNode;
import io.parley.agreement.version.NegotiationAnswer;
import io.parley.agreement.version.NegotiationRequest;
import io.parley.agreement.version.Requester;
import io.parley.agreement.version.ServiceOutcome;
import io.parley.link.auth.NodePrincipal;
import java.time.Instant;
import java.util.List;

/**
 * One negotiation, for people: what was offered, and what became of each service and why.
 *
 * @param nodeId the node's own id
 */
public record NegotiationRecord(
        String nodeId,
        NodePrincipal principal,
        Requester requester,
        NegotiationRequest request,
        NegotiationAnswer answer,
        Instant at) {
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
}
