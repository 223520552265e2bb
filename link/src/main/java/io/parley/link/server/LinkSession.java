package io.parley.link.server;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.parley.agreement.version.NegotiationAnswer;
import io.parley.agreement.version.NegotiationRequest;
import io.parley.agreement.version.Negotiator;
import io.parley.agreement.version.NodeDescription;
import io.parley.agreement.version.Requester;
import io.parley.agreement.version.ServiceOutcome;
import io.parley.link.LinkLimits;
import io.parley.link.ServiceHandler;
import io.parley.link.auth.NodePrincipal;
import io.parley.link.peer.Wire;
import io.parley.link.peer.WrpcPeer;
import io.parley.wire.wrpc.CloseReason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One connection of a node: who it is, what it agreed to, and the two ways in which it can be too quiet. */
final class LinkSession implements NegotiationGate.Negotiation {
    private final Visitor visitor;
    private final Surroundings around;
    private final EventLoop loop;
    private final WrpcPeer peer;
    private final NegotiationGate gate;
    private volatile @Nullable NegotiationRecord agreed;
    private @Nullable Future<?> watch;
    private boolean heard;

    /**
     * Who came, as far as it is known when the connection is upgraded.
     *
     * @param ended why what let it in counts no longer; nothing while it does
     */
    record Visitor(NodePrincipal principal, Supplier<Optional<String>> ended, ConnectParameters parameters) {}

    /** A node, however many links it has: its credential and its id, since nodes may share either. */
    record Node(String mesh, String name, String id) {}

    /** What all sessions of an endpoint share. */
    record Surroundings(
            String controlPlaneId,
            LinkLimits limits,
            ServiceDirectory directory,
            Supplier<Negotiator> negotiator,
            LinkListener listener,
            InstantSource time) {}

    LinkSession(Visitor visitor, Surroundings around, EventLoop loop, Wire wire) {
        this.visitor = visitor;
        this.around = around;
        this.loop = loop;
        this.gate = new NegotiationGate(this, around.controlPlaneId());
        this.peer = new WrpcPeer(loop, wire, around.time(), around.limits(), gate);
    }

    void start() {
        watchAfter(around.limits().handshake(), this::checkNegotiated);
        var _ = peer.closed().thenAccept(this::ended);
    }

    WrpcPeer peer() {
        return peer;
    }

    Node node() {
        NodePrincipal principal = visitor.principal();
        return new Node(principal.mesh(), principal.name(), visitor.parameters().nodeId());
    }

    /** Ends the connection, and says why, if what let the node in counts no longer. May block. */
    void review() {
        visitor.ended().get().ifPresent(why -> peer.close(new CloseReason(CloseReason.POLICY_VIOLATION, why)));
    }

    /** Anything that the node sends shows that it is there. */
    void heard() {
        heard = true;
    }

    /** Nothing until the node has negotiated. May be asked from any thread. */
    Optional<NegotiationRecord> agreed() {
        return Optional.ofNullable(agreed);
    }

    /** The first service in use that the rules no longer permit. May be asked from any thread. */
    Optional<ServiceOutcome.Accepted> withdrawn(Negotiator rules) {
        NegotiationRecord last = agreed;
        if (last == null || last.request().node() == null) {
            return Optional.empty();
        }
        NodeDescription node = last.request().node();
        return last.accepted().stream()
                .filter(use -> !rules.permits(
                        last.requester(), node, use.service(), use.version().value()))
                .findFirst();
    }

    /** Ends the connection if it uses what the rules do not permit. */
    void withdrawBy(Negotiator rules) {
        withdrawn(rules)
                .ifPresent(use -> peer.close(new CloseReason(
                        CloseReason.POLICY_VIOLATION,
                        use.service() + " " + use.version().value() + " was switched off; negotiate again")));
    }

    @Override
    public NegotiationAnswer answer(NegotiationRequest request) {
        return around.negotiator().get().answer(requester(), request);
    }

    @Override
    public Map<Integer, ServiceHandler> open(NodeDescription said, NegotiationAnswer.Answered answer) {
        var node = new NodeDescription(visitor.parameters().nodeId(), said.type(), said.version(), said.hostname());
        return around.directory().open(new NodeLink(peer, visitor.principal(), node), answer);
    }

    @Override
    public void answered(NegotiationRequest request, NegotiationAnswer answer) {
        var record = new NegotiationRecord(
                visitor.parameters().nodeId(),
                visitor.principal(),
                requester(),
                request,
                answer,
                around.time().instant());
        if (answer instanceof NegotiationAnswer.Answered) {
            agreed = record;
        }
        around.listener().negotiated(record);
        // Policies may have changed since the answer was made, too early for this session to be found by whoever
        // changed them.
        withdrawBy(around.negotiator().get());
    }

    private Requester requester() {
        NodePrincipal principal = visitor.principal();
        return new Requester(
                principal.tenant(), principal.labels(), visitor.parameters().nodeId());
    }

    private void checkNegotiated() {
        if (!gate.negotiated()) {
            peer.close(new CloseReason(
                    CloseReason.POLICY_VIOLATION,
                    "no valid negotiation within " + around.limits().handshake().toSeconds() + " s"));
            return;
        }
        watchAfter(around.limits().silence(), this::checkHeard);
    }

    private void checkHeard() {
        if (!heard) {
            peer.close(new CloseReason(
                    CloseReason.GOING_AWAY,
                    "nothing heard for " + around.limits().silence().toSeconds() + " s"));
            return;
        }
        heard = false;
        watchAfter(around.limits().silence(), this::checkHeard);
    }

    private void watchAfter(Duration delay, Runnable check) {
        if (!peer.closed().isDone()) {
            watch = loop.schedule(check, delay.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void ended(CloseReason reason) {
        if (watch != null) {
            watch.cancel(false);
        }
        gate.close();
        NegotiationRecord last = agreed;
        if (last != null) {
            around.listener().disconnected(last, reason);
        }
    }
}
