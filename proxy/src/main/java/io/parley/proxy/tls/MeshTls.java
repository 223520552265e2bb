package io.parley.proxy.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Endpoint;
import io.parley.wire.header.HeaderMagic;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes TLS handlers from the certificate that holds at the moment. */
public final class MeshTls {
    /** Which side of the handshake, and what is negotiated in it. */
    public enum Listening {
        /** On the proxy's own port, where a connection header may be agreed on. */
        DIRECT,

        /** On the application's port, where the client knows nothing of headers. */
        APPLICATION_PORT
    }

    /** What a client offers to a peer that reads no connection header. */
    public enum Offer {
        NOTHING,
        HTTP1,
        HTTP2
    }

    private static final Logger LOG = LoggerFactory.getLogger(MeshTls.class);

    /** Another loop may have taken what is replaced a moment ago, and not have made its handler yet. */
    private static final Duration KEPT = Duration.ofMinutes(1);

    private final CertificateSource source;
    private final Clock clock;
    private volatile @Nullable TlsContexts current;
    private final Deque<Retired> retired = new ArrayDeque<>();

    private record Retired(TlsContexts contexts, Instant since) {}

    public MeshTls(CertificateSource source, Clock clock) {
        this.source = source;
        this.clock = clock;
    }

    /** The proxy's own name; empty as long as it has no certificate. */
    public Optional<SpiffeId> identity() {
        return source.current().map(MeshCredentials::identity);
    }

    /** When the certificate ends; empty without a certificate. */
    public Optional<Instant> expires() {
        return source.current().map(MeshCredentials::expires);
    }

    /** Why there is no certificate that could be shown; empty if there is one, or is to be none. */
    public Optional<String> whyUnusable() {
        return source.whyNone()
                .map(why -> "no certificate yet: " + why)
                .or(() -> source.current().filter(this::isOver).map(MeshTls::expired));
    }

    private static String expired(MeshCredentials held) {
        return "this proxy's certificate expired at " + held.expires();
    }

    /** Whether there is a certificate, and it has not ended. */
    public boolean isUsable() {
        return source.current().filter(held -> !isOver(held)).isPresent();
    }

    private boolean isOver(MeshCredentials held) {
        return held.expires().isBefore(clock.instant());
    }

    /** Whether a client that asks for this server name means the proxy, and not the application behind it. */
    public boolean isOwnName(String serverName) {
        return source.current().filter(held -> held.isAskedForBy(serverName)).isPresent();
    }

    /** Makes ready for handshakes with the certificate that holds now, so that no event loop has to; the first time all that is slow once is done once. */
    public void prepare() {
        if (identity().isEmpty()) {
            return;
        }
        boolean first = current == null;
        try {
            TlsContexts contexts = contexts(require());
            if (first) {
                contexts.rehearse();
            }
        } catch (SSLException e) {
            LOG.warn("no handshake is possible: {}", e.getMessage());
        }
    }

    /** A handler that takes a peer's handshake and demands its certificate. */
    public SslHandler server(ByteBufAllocator allocator, Listening where) throws SSLException {
        return begin(contexts -> switch (where) {
            case DIRECT -> contexts.serverWithHeader().newHandler(allocator);
            case APPLICATION_PORT -> contexts.server().newHandler(allocator);
        });
    }

    /** A handler that starts a handshake with the proxy before an endpoint. */
    public SslHandler client(ByteBufAllocator allocator, Endpoint.Mesh peer, Offer offer) throws SSLException {
        return begin(contexts -> {
            var context = peer.magic() == HeaderMagic.SHIPPED
                    ? contexts.clientWithHeader()
                    : contexts.offering(peer.magic() == null ? offer : Offer.NOTHING);
            return context.newHandler(allocator, peer.serverName(), peer.proxy().getPort());
        });
    }

    private SslHandler begin(Function<TlsContexts, SslHandler> maker) throws SSLException {
        MeshCredentials held = claim();
        try {
            SslHandler handler = FullHandshakes.only(maker.apply(contexts(held)));
            handler.handshakeFuture().addListener(_ -> held.handshakes().end());
            return handler;
        } catch (SSLException | RuntimeException e) {
            held.handshakes().end();
            throw e;
        }
    }

    /** Counts a handshake before it is sure that what it begins with still holds: so none is missed when that is replaced. */
    private MeshCredentials claim() throws SSLException {
        while (true) {
            MeshCredentials held = require();
            held.handshakes().begin();
            if (source.current().filter(held::equals).isPresent()) {
                return held;
            }
            held.handshakes().end();
        }
    }

    /** Fails closed: with no certificate, or an expired one, there is no handshake. */
    private MeshCredentials require() throws SSLException {
        MeshCredentials held =
                source.current().orElseThrow(() -> new NoCertificateException("this proxy has no certificate yet"));
        if (isOver(held)) {
            throw new NoCertificateException(expired(held));
        }
        return held;
    }

    private TlsContexts contexts(MeshCredentials held) throws SSLException {
        TlsContexts contexts = current;
        return contexts != null && contexts.credentials().equals(held) ? contexts : rotate(held);
    }

    private synchronized TlsContexts rotate(MeshCredentials held) throws SSLException {
        TlsContexts old = current;
        if (old != null && old.credentials().equals(held)) {
            return old;
        }
        TlsContexts fresh = TlsContexts.create(held);
        Instant now = clock.instant();
        while (!retired.isEmpty() && retired.peek().since().plus(KEPT).isBefore(now)) {
            retired.remove().contexts().release();
        }
        if (old != null) {
            retired.add(new Retired(old, now));
        }
        current = fresh;
        return fresh;
    }

    /** Frees native memory; nothing can be encrypted afterwards. */
    public synchronized void close() {
        retired.forEach(old -> old.contexts().release());
        retired.clear();
        TlsContexts held = current;
        if (held != null) {
            held.release();
        }
        current = null;
    }
}
