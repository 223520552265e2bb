package io.parley.proxy.tcp;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.tcp.DetectHandler.Patience;
import io.parley.wire.detect.Detection;
import io.parley.wire.detect.ProtocolDetector.Layer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A connection from the application beside this proxy to somewhere else. */
final class OutboundFlow implements DetectHandler.Verdict {
    /** The client is the application beside the proxy. */
    private static final Crossing.Client APPLICATION = new Crossing.Client(null, "loopback");

    private final Session session;
    private final Machinery machinery;
    private final Timeouts timeouts;
    private final OutboundTarget target;
    private final Crossing crossing;
    private final DetectHandler first;

    private OutboundFlow(
            Session session, Machinery machinery, Timeouts timeouts, OutboundTarget target, Cluster cluster) {
        this.session = session;
        this.machinery = machinery;
        this.timeouts = timeouts;
        this.target = target;
        this.first = isDetected() ? new DetectHandler(Layer.CLEAR, patience(cluster), this) : DetectHandler.holding();
        this.crossing = new Crossing(
                session,
                machinery,
                timeouts,
                APPLICATION,
                new Crossing.Target(target.name(), cluster, target.http(), target.raw()),
                first);
    }

    /** Sends the connection on its way. */
    static void start(Session session, Machinery machinery, Timeouts timeouts, Routing routing) {
        InetSocketAddress destination = session.accepted().destination();
        Optional<OutboundTarget> target = switch (routing) {
            case Routing.Fixed(var fixed) -> Optional.of(fixed);
            case Routing.ByDestination(var targets, var unknown) ->
                Optional.ofNullable(targets.get(destination))
                        .or(() -> unknown == Routing.Unknown.PASS
                                ? Optional.of(asDialled(destination))
                                : Optional.empty());
            case Routing.ToApplication _, Routing.ToPort _, Routing.Gateway _, Routing.Datagrams _ ->
                throw new IllegalStateException("not for an outbound listener: " + routing);
        };
        if (target.isEmpty()) {
            Refusal.refuse(session, machinery, "unknown-destination", "no service has the address " + destination);
            return;
        }
        Optional<Cluster> cluster = target.get().cluster().isEmpty()
                ? Optional.of(machinery.clusters().direct(destination))
                : machinery.clusters().find(target.get().cluster());
        if (cluster.isEmpty()) {
            Refusal.refuse(
                    session,
                    machinery,
                    "no-endpoint",
                    "no cluster " + target.get().cluster());
            return;
        }
        new OutboundFlow(session, machinery, timeouts, target.get(), cluster.get()).run();
    }

    private void run() {
        session.downstream().pipeline().addLast(first);
        if (!isDetected()) {
            crossing.decide(target.declared());
        }
    }

    private boolean isDetected() {
        return switch (target.declared().value()) {
            case DETECT, TLS -> true;
            case OPAQUE, HTTP1, HTTP2, GRPC -> false;
        };
    }

    private Patience patience(Cluster cluster) {
        @Nullable
        Duration grace = machinery.silence().isSilent(target.name()) && timeouts.serverFirstGrace() != null
                ? Duration.ZERO
                : timeouts.serverFirstGrace();
        boolean mayListen = target.declared().value() == Protocol.DETECT && cluster.unusable() == null;
        return new Patience(mayListen ? grace : null, timeouts.detect(), timeouts.partial());
    }

    @Override
    public void silent() {
        crossing.listenToServer();
    }

    @Override
    public void detected(Detection detection) {
        switch (detection) {
            case Detection.Http1() ->
                clientSpoke(Rules.detected(Protocol.HTTP1, "its first bytes are an HTTP/1 request line"));
            case Detection.Http2() ->
                clientSpoke(Rules.detected(Protocol.HTTP2, "its first bytes are the HTTP/2 preface"));
            case Detection.Tls(var hello) -> {
                crossing.asksFor(hello.serverName().orElse(""));
                clientSpoke(Rules.detected(
                        Protocol.TLS,
                        "its first bytes are a TLS ClientHello for "
                                + hello.serverName().orElse("no name")));
            }
            case Detection.Opaque(var because) -> clientSpoke(Rules.detected(Protocol.OPAQUE, because));
            case Detection.Header _, Detection.BadHeader _, Detection.NeedMore _ ->
                throw new IllegalStateException("not a verdict outside mutual TLS: " + detection);
        }
    }

    /** What is declared TLS is looked at only to see that it is; it is TLS because somebody said so. */
    private void clientSpoke(Decision<Protocol> found) {
        boolean declared = target.declared().value() == Protocol.TLS;
        if (declared && found.value() != Protocol.TLS) {
            Refusal.refuse(session, machinery, "not-tls", target.name() + " is declared TLS: " + found.because());
            return;
        }
        machinery.silence().clientSpokeFirst(target.name());
        crossing.decide(declared ? target.declared() : found);
    }

    @Override
    public void timedOut(int bytes) {
        if (target.declared().value() == Protocol.TLS) {
            refuseAsNotTls(bytes, "within " + timeouts.detect().toMillis() + " ms");
            return;
        }
        crossing.decide(Rules.unproven(
                bytes == 0
                        ? "nobody spoke within " + timeouts.detect().toMillis() + " ms"
                        : "the first " + bytes + " bytes may be HTTP or TLS, and no more came in time"));
    }

    @Override
    public void gone(int bytes) {
        if (bytes == 0 && target.declared().value() == Protocol.DETECT && session.mayBeTold()) {
            crossing.decide(Rules.clientEnded());
        } else if (bytes == 0) {
            Refusal.clientGone(session, machinery, target.declared().value());
        } else if (target.declared().value() == Protocol.TLS) {
            refuseAsNotTls(bytes, "before the client ended");
        } else {
            crossing.decide(Rules.unproven("the client ended after " + bytes + " bytes that prove nothing"));
        }
    }

    /** A declaration fails closed: what may not be TLS is not sent where only TLS is meant. */
    private void refuseAsNotTls(int bytes, String when) {
        Refusal.refuse(
                session,
                machinery,
                bytes == 0 ? Rules.CLIENT_SILENT : "not-tls",
                target.name() + " is declared TLS: " + (bytes == 0 ? "nothing came " : "no whole ClientHello came ")
                        + when);
    }

    private static OutboundTarget asDialled(InetSocketAddress destination) {
        return new OutboundTarget(
                destination.getAddress().getHostAddress() + ":" + destination.getPort(),
                new Decision<>(
                        Protocol.DETECT,
                        "no service has this address, so it is dialled as it is",
                        Source.ofRule("pass-through")),
                "");
    }
}
