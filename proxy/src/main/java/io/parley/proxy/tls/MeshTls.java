package io.parley.proxy.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Endpoint;
import io.parley.wire.header.HeaderMagic;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
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

    private static final Logger LOG = LoggerFactory.getLogger(MeshTls.class);

    private final CertificateSource source;
    private final Clock clock;
    private volatile @Nullable TlsContexts current;
    private @Nullable TlsContexts previous;

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

    /** Whether a client that asks for this server name means the proxy, and not the application behind it. */
    public boolean isOwnName(String serverName) {
        return source.current()
                .filter(held -> held.serverName().equals(serverName))
                .isPresent();
    }

    /** Makes ready for handshakes, which takes long the first time, so that no event loop has to. */
    public void prepare() {
        if (identity().isPresent()) {
            try {
                TlsContexts _ = require();
            } catch (SSLException e) {
                LOG.warn("no handshake is possible: {}", e.getMessage());
            }
        }
    }

    /** A handler that takes a peer's handshake and demands its certificate. */
    public SslHandler server(ByteBufAllocator allocator, Listening where) throws SSLException {
        TlsContexts contexts = require();
        return switch (where) {
            case DIRECT -> contexts.serverWithHeader().newHandler(allocator);
            case APPLICATION_PORT -> contexts.server().newHandler(allocator);
        };
    }

    /** A handler that starts a handshake with the proxy before an endpoint. */
    public SslHandler client(ByteBufAllocator allocator, Endpoint.Mesh peer) throws SSLException {
        TlsContexts contexts = require();
        var context = peer.magic() == HeaderMagic.SHIPPED ? contexts.clientWithHeader() : contexts.client();
        return context.newHandler(allocator, peer.serverName(), peer.proxy().getPort());
    }

    /** Fails closed: with no certificate, or an expired one, there is no handshake. */
    private TlsContexts require() throws SSLException {
        MeshCredentials held =
                source.current().orElseThrow(() -> new SSLException("this proxy has no certificate yet"));
        if (held.expires().isBefore(clock.instant())) {
            throw new SSLException("this proxy's certificate expired at " + held.expires());
        }
        TlsContexts contexts = current;
        return contexts != null && contexts.credentials().equals(held) ? contexts : rotate(held);
    }

    private synchronized TlsContexts rotate(MeshCredentials held) throws SSLException {
        TlsContexts old = current;
        if (old != null && old.credentials().equals(held)) {
            return old;
        }
        TlsContexts fresh = TlsContexts.create(held);
        // Another loop may have taken the old ones a moment ago: they are let go at the rotation after this one.
        if (previous != null) {
            previous.release();
        }
        previous = old;
        current = fresh;
        return fresh;
    }

    /** Frees native memory; nothing can be encrypted afterwards. */
    public synchronized void close() {
        if (previous != null) {
            previous.release();
        }
        TlsContexts held = current;
        if (held != null) {
            held.release();
        }
        previous = null;
        current = null;
    }
}
