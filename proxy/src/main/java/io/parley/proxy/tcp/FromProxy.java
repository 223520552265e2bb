package io.parley.proxy.tcp;

import io.parley.agreement.reason.Decision;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Routing;
import io.parley.proxy.tcp.DetectHandler.Patience;
import io.parley.proxy.tls.MeshTls;
import io.parley.wire.detect.Detection;
import io.parley.wire.detect.ProtocolDetector.Layer;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.HeaderMagic;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that was meant for this proxy's own port, so it comes from another proxy: mutual TLS, then a connection header that
 * says which port of the application, or which service behind a gateway, the bytes after it are for.
 */
final class FromProxy implements DetectHandler.Verdict {
    private final Entry entry;
    private final Routing.ToApplication routing;
    private DetectHandler first;
    private List<SpiffeId> names = List.of();
    private Identification.Header agreed = Identification.Header.NOT_AGREED;
    private boolean withoutName;

    FromProxy(Entry entry, Routing.ToApplication routing) {
        this.entry = entry;
        this.routing = routing;
        this.first = new DetectHandler(Layer.CLEAR, closedAfter(entry.timeouts().detect()), this);
    }

    void start() {
        entry.session().downstream().pipeline().addLast(first);
    }

    /** A stranger, or a proxy that owes us a header, is never dialled for. */
    private static Patience closedAfter(Duration total) {
        return new Patience(null, total, total);
    }

    @Override
    public void silent() {
        throw new IllegalStateException("a proxy is waited for, however silent");
    }

    @Override
    public void detected(Detection detection) {
        if (names.isEmpty()) {
            detectedInClear(detection);
        } else if (withoutName) {
            byContents(detection);
        } else {
            detectedInside(detection);
        }
    }

    /** A gateway that is told no name goes by the one in the application's own TLS; nothing else says where to. */
    private void byContents(Detection detection) {
        String name = detection instanceof Detection.Tls(var hello)
                ? hello.serverName().orElse("")
                : "";
        Optional<OutboundTarget> target = routing.passOnByName(name);
        if (target.isEmpty()) {
            entry.refuse(
                    "gateway-without-name",
                    "neither a header nor the connection's own TLS names a service that this proxy passes on to");
        } else {
            pass(
                    name,
                    null,
                    target,
                    0,
                    Rules.detected(Protocol.TLS, "its first bytes are a TLS ClientHello for " + name));
        }
    }

    private void detectedInClear(Detection detection) {
        if (!(detection instanceof Detection.Tls(var hello))) {
            entry.refuse("not-mutual-tls", "connections to this proxy must be mutually authenticated");
        } else if (hello.serverName()
                .filter(name -> !entry.machinery().tls().isOwnName(name))
                .isPresent()) {
            Refusal.tell(
                    entry.session(),
                    entry.machinery(),
                    "foreign-server-name",
                    hello.name() + " (expected: this proxy's own name)");
            Refusal.turnAway(entry.session().downstream());
        } else {
            entry.shakeHands(first, MeshTls.Listening.DIRECT, this::identified);
        }
    }

    private void identified(Identification peer) {
        names = peer.names();
        agreed = peer.header();
        first = new DetectHandler(
                Layer.INSIDE_MUTUAL_TLS, closedAfter(entry.timeouts().header()), this);
        entry.session().downstream().pipeline().addLast(first);
    }

    /** What was agreed on in the handshake must come; what was not may, and is known by its magic. */
    private void detectedInside(Detection detection) {
        if (agreed == Identification.Header.AGREED && !isShippedHeader(detection)) {
            entry.refuse("no-header", "both sides agreed on " + ConnectionHeader.ALPN + ", and no such header came");
            return;
        }
        switch (detection) {
            case Detection.Header(var header, var length) -> follow(header, length);
            case Detection.BadHeader(var because) -> entry.refuse("bad-header", because);
            case Detection.Tls _ when !routing.gatewayDomains().isEmpty() -> byContents(detection);
            case Detection.Http1 _, Detection.Http2 _, Detection.Tls _, Detection.Opaque _ ->
                entry.refuse("no-header", "no connection header, so nothing says which port is meant");
            case Detection.NeedMore _ -> throw new IllegalStateException("not a verdict: " + detection);
        }
    }

    private static boolean isShippedHeader(Detection detection) {
        return detection instanceof Detection.BadHeader
                || (detection instanceof Detection.Header(var header, var _) && header.magic() == HeaderMagic.SHIPPED);
    }

    private void follow(ConnectionHeader header, int length) {
        entry.count(header, names.getFirst());
        InetSocketAddress application = routing.application()
                .port(header.port(), entry.session().accepted().destination().getAddress());
        boolean own = entry.machinery().own().isOwn(application);
        if (header.name() != null) {
            toService(header, length);
        } else if (header.magic() == HeaderMagic.DOCUMENT && (header.port() == 0 || own)) {
            toNobody(length);
        } else if (own) {
            entry.refuse("loop", "port " + header.port() + " is one of this proxy's own");
        } else {
            toApplication(header, length, application);
        }
    }

    /** The document's gateway connection: only the bytes themselves can say where it goes. */
    private void toNobody(int length) {
        if (routing.gatewayDomains().isEmpty()) {
            entry.refuse("gateway-without-name", "a header without a port is for a gateway, which this proxy is not");
        } else {
            withoutName = true;
            first.again(this, Layer.CLEAR, closedAfter(entry.timeouts().detect()), length);
        }
    }

    private void toApplication(ConnectionHeader header, int length, InetSocketAddress application) {
        InboundPort port = routing.port(header.port());
        SpiffeId peer = port.authorization().comesBy(names);
        new ToApplicationPort(entry, port, header.port(), application, peer, first).follow(header, length);
    }

    /** A gateway takes the protocol from the header alone and sends a fresh header to the endpoint it chooses. */
    private void toService(ConnectionHeader header, int length) {
        Optional<OutboundTarget> target = routing.passOn(String.valueOf(header.name()), header.port());
        pass(header.name() + ":" + header.port(), header.port(), target, length, Rules.byHeader(header));
    }

    private void pass(
            String name,
            @Nullable Integer port,
            Optional<OutboundTarget> target,
            int length,
            Decision<Protocol> decision) {
        Optional<Cluster> cluster =
                target.flatMap(found -> entry.machinery().clusters().find(found.cluster()));
        if (target.isEmpty() || cluster.isEmpty()) {
            entry.refuse("gateway-domain", name + " is not a service that this proxy passes on to");
            return;
        }
        int own = entry.session().accepted().destination().getPort();
        SpiffeId peer = routing.port(own).authorization().comesBy(names);
        OutboundTarget to = target.get();
        first.skip(length);
        Supplier<Crossing> crossing = () -> entry.crossing(
                new Crossing.Client(peer, null),
                new Crossing.Target(to.name(), cluster.get(), to.http(), to.raw(), port),
                first);
        if (entry.admits(routing.port(own), own, peer, to.name())) {
            crossing.get().decide(decision);
        } else {
            entry.deny(peer, to.name(), decision, crossing);
        }
    }

    @Override
    public void timedOut(int bytes) {
        if (names.isEmpty()) {
            entry.refuse(
                    "tls-detection-timeout",
                    "no TLS handshake within " + entry.timeouts().detect().toMillis() + " ms");
        } else {
            entry.refuse(
                    "header-timeout",
                    "no connection header within " + entry.timeouts().header().toMillis() + " ms");
        }
    }

    @Override
    public void gone(int bytes) {
        entry.refuse(names.isEmpty() ? "client-gone" : "no-header", "the peer closed after " + bytes + " bytes");
    }
}
