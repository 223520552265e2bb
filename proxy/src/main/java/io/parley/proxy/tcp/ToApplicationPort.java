package io.parley.proxy.tcp;

import io.parley.agreement.reason.Decision;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.tcp.DetectHandler.Patience;
import io.parley.proxy.tls.MeshTls;
import io.parley.wire.detect.Detection;
import io.parley.wire.detect.ProtocolDetector.Layer;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.ConnectionHeader.Stage;
import io.parley.wire.header.HeaderMagic;
import io.parley.wire.tls.ClientHello;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection that was meant for a port of the application. An opaque port is forwarded blindly, as declared. On any other, TLS
 * for this proxy is terminated, TLS for the application is passed on, and what is inside or instead is detected.
 */
final class ToApplicationPort implements DetectHandler.Verdict {
    private final Entry entry;
    private final InboundPort port;
    private final int number;
    private final InetSocketAddress application;
    private final String target;
    private final @Nullable Integer named;
    private Crossing.Client client = new Crossing.Client(null, "no_tls_from_remote");
    private DetectHandler first;
    private @Nullable Crossing crossing;

    /** Configuration knows the port by {@code number}, which need not be the application's own. */
    ToApplicationPort(Entry entry, InboundPort port, int number, InetSocketAddress application) {
        this.entry = entry;
        this.port = port;
        this.number = number;
        this.application = application;
        this.target = "port " + application.getPort();
        this.named = null;
        this.first = isPassedUnseen() ? DetectHandler.holding() : new DetectHandler(Layer.CLEAR, patience(null), this);
    }

    /** A connection of a known client, whose header names the port, and whose first bytes are held inside mutual TLS. */
    ToApplicationPort(
            Entry entry,
            InboundPort port,
            int number,
            InetSocketAddress application,
            SpiffeId client,
            DetectHandler held) {
        this.entry = entry;
        this.port = port;
        this.number = number;
        this.application = application;
        this.target = "port " + application.getPort();
        this.named = number;
        this.client = new Crossing.Client(client, null);
        this.first = held;
    }

    void start() {
        entry.session().downstream().pipeline().addLast(first);
        if (isPassedUnseen()) {
            client = new Crossing.Client(null, "port_skipped");
            decide(port.declared());
        }
    }

    /** Opaque bytes are not looked at, unless members of the mesh may send them to the port itself: those begin with a handshake. */
    private boolean isPassedUnseen() {
        return declared() == Protocol.OPAQUE
                && !port.endsTls()
                && port.authorization().allows(null);
    }

    private Protocol declared() {
        return port.declared().value();
    }

    /**
     * The server is dialled for a silent client only if that client would be let in as it is. A member of the mesh that would not has a little longer to ask
     * by HTTP, in which it can be told.
     */
    private Patience patience(@Nullable SpiffeId identity) {
        boolean allowed = port.authorization().allows(identity);
        boolean mayBeSilent = declared() == Protocol.DETECT || declared() == Protocol.OPAQUE;
        @Nullable Duration grace = allowed ? grace() : entry.timeouts().partial();
        return new Patience(
                mayBeSilent && (allowed || identity != null) ? grace : null,
                entry.timeouts().detect(),
                entry.timeouts().partial());
    }

    private @Nullable Duration grace() {
        Duration usual = entry.timeouts().serverFirstGrace();
        return usual != null && entry.machinery().silence().isSilent(target) ? Duration.ZERO : usual;
    }

    @Override
    public void silent() {
        if (isAdmitted()) {
            crossing().listenToServer();
        } else {
            entry.deny(client.identity(), target);
        }
    }

    @Override
    public void detected(Detection detection) {
        switch (detection) {
            case Detection.Tls(var hello) when client.identity() == null && isForProxy(hello) -> shakeHands();
            case Detection.Tls(var hello) -> foundTls(hello);
            case Detection.Http1() ->
                heard(Rules.detected(Protocol.HTTP1, "its first bytes are an HTTP/1 request line"));
            case Detection.Http2() -> heard(Rules.detected(Protocol.HTTP2, "its first bytes are the HTTP/2 preface"));
            case Detection.Opaque(var because) -> heard(Rules.detected(Protocol.OPAQUE, because));
            case Detection.Header(var header, var length) -> headerCame(header, length);
            case Detection.BadHeader(var because) -> entry.refuse("bad-header", because);
            case Detection.NeedMore _ -> throw new IllegalStateException("not a verdict: " + detection);
        }
    }

    /**
     * Nobody has to send one to the port itself; who does names the port that was dialled, and no other. What it says of the protocol is
     * not believed: an application can write one before its request, which its proxy passes on as the opaque bytes that they are to it,
     * and no policy for HTTP would see that request.
     */
    private void headerCame(ConnectionHeader header, int length) {
        entry.count(header, Objects.requireNonNull(client.identity(), "headers are read inside mutual TLS only"));
        if (header.name() == null && header.port() == number) {
            first.again(this, Layer.CLEAR, afterHeader(header), length);
        } else {
            entry.refuse(
                    "unexpected-header",
                    "a connection header for " + (header.name() == null ? "" : header.name() + ":") + header.port()
                            + " on " + target);
        }
    }

    /** Goes on as a proxy's header says, which is the first {@code length} of the bytes that are held. */
    void follow(ConnectionHeader header, int length) {
        if (declared() == Protocol.OPAQUE) {
            first.skip(length);
            decide(port.declared());
        } else if (isForUsToDetect(header)) {
            first.again(this, Layer.CLEAR, afterHeader(header), length);
        } else {
            first.skip(length);
            found(Rules.byHeader(header));
        }
    }

    /**
     * Without a protocol, the document's header leaves it to the receiver, and ours says so when it does. Headers have no word for TLS of
     * the application either: to the proxy before this one it is only bytes, and whether it is what was declared is seen here.
     */
    private boolean isForUsToDetect(ConnectionHeader header) {
        return header.protocol() == null
                && (header.stage() == Stage.UNDECIDED
                        || header.magic() == HeaderMagic.DOCUMENT
                        || declared() == Protocol.TLS);
    }

    private Patience afterHeader(ConnectionHeader header) {
        Patience usual = patience(client.identity());
        // The proxy before this one has waited for its client already.
        return usual.grace() != null
                        && header.stage() == Stage.UNDECIDED
                        && port.authorization().allows(client.identity())
                ? new Patience(Duration.ZERO, usual.total(), usual.pause())
                : usual;
    }

    /** TLS for the application, be it in the clear or within the mesh's. */
    private void foundTls(ClientHello hello) {
        String name = hello.serverName().orElse("");
        client = client.askingFor(name);
        if (crossing != null) {
            crossing.asksFor(name);
        }
        heard(Rules.detected(
                Protocol.TLS,
                "its first bytes are a TLS ClientHello for "
                        + hello.serverName().orElse("no name")));
    }

    /** Who asks for this proxy by name; and where only members may, any TLS, since programs without a proxy ask as they like. */
    private boolean isForProxy(ClientHello hello) {
        boolean membersOnly = port.endsTls() && !port.authorization().allows(null);
        return membersOnly
                || hello.serverName().filter(entry.machinery().tls()::isOwnName).isPresent();
    }

    private void shakeHands() {
        if (crossing != null) {
            // It was dialled for a silent stranger, who turns out to be a member of the mesh.
            crossing.cancel();
            crossing = null;
        }
        entry.shakeHands(first, MeshTls.Listening.APPLICATION_PORT, this::identified);
    }

    private void identified(Identification peer) {
        SpiffeId identity = port.authorization().comesBy(peer.names());
        client = new Crossing.Client(identity, null);
        boolean opaque = declared() == Protocol.OPAQUE;
        first = opaque ? DetectHandler.holding() : new DetectHandler(Layer.INSIDE_MUTUAL_TLS, patience(identity), this);
        entry.session().downstream().pipeline().addLast(first);
        if (opaque) {
            decide(port.declared());
        }
    }

    /** What the client sent before anybody else spoke. */
    private void heard(Decision<Protocol> seen) {
        entry.machinery().silence().clientSpokeFirst(target);
        found(seen);
    }

    /** What the client sends; a declaration must agree with it. */
    private void found(Decision<Protocol> seen) {
        if (port.declared().value() == Protocol.DETECT) {
            decide(seen);
        } else if (agrees(seen.value())) {
            decide(port.declared());
        } else {
            entry.refuse("protocol-mismatch", target + " is declared " + declared() + ": " + seen.because());
        }
    }

    private boolean agrees(Protocol seen) {
        return switch (declared()) {
            case DETECT, OPAQUE -> true;
            case TLS -> seen == Protocol.TLS;
            // A mesh peer may have upgraded HTTP/1 to HTTP/2 between the proxies.
            case HTTP1 -> seen == Protocol.HTTP1 || (client.identity() != null && seen == Protocol.HTTP2);
            case HTTP2, GRPC -> seen == Protocol.HTTP2;
        };
    }

    /** Goes on without any more looking. */
    private void decide(Decision<Protocol> decision) {
        if (isAdmitted()) {
            crossing().decide(decision);
        } else {
            entry.deny(client.identity(), target, decision, this::crossing);
        }
    }

    private boolean isAdmitted() {
        return crossing != null || entry.admits(port, number, client.identity(), target);
    }

    private Crossing crossing() {
        if (crossing == null) {
            Cluster cluster = entry.machinery().clusters().direct(application);
            crossing =
                    entry.crossing(client, new Crossing.Target(target, cluster, port.http(), port.raw(), named), first);
        }
        return crossing;
    }

    @Override
    public void timedOut(int bytes) {
        if (bytes == 0 && client.identity() == null && !port.authorization().allows(null)) {
            entry.refuse(
                    "tls-detection-timeout",
                    "no TLS handshake within " + entry.timeouts().detect().toMillis() + " ms");
        } else if (bytes == 0 && speaksFirst(declared())) {
            entry.refuse(
                    Rules.CLIENT_SILENT,
                    target + " is declared " + declared() + ": nothing came within "
                            + entry.timeouts().detect().toMillis() + " ms");
        } else {
            found(Rules.unproven(
                    bytes == 0
                            ? "nobody spoke within " + entry.timeouts().detect().toMillis() + " ms"
                            : "the first " + bytes + " bytes may be HTTP or TLS, and no more came in time"));
        }
    }

    /** Whether the client speaks first in what is declared; nobody knows that of opaque bytes. */
    private static boolean speaksFirst(Protocol declared) {
        return switch (declared) {
            case TLS, HTTP1, HTTP2, GRPC -> true;
            case DETECT, OPAQUE -> false;
        };
    }

    @Override
    public void gone(int bytes) {
        if (bytes == 0 && mayHearServer()) {
            found(Rules.clientEnded());
        } else if (bytes == 0) {
            Refusal.clientGone(entry.session(), entry.machinery(), declared());
        } else {
            found(Rules.unproven("the client ended after " + bytes + " bytes that prove nothing"));
        }
    }

    /** Nobody says where only the client would speak first; and who may not come in has left. */
    private boolean mayHearServer() {
        return !speaksFirst(declared())
                && port.authorization().allows(client.identity())
                && entry.session().mayBeTold();
    }
}
