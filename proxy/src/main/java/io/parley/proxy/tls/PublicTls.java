package io.parley.proxy.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyStores;
import io.parley.proxy.config.UpstreamTls;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** TLS with those who are not members of the mesh. */
public final class PublicTls {
    private static final int MAX_REMEMBERED = 1_024;

    private final Map<UpstreamTls, SslContext> clients = new ConcurrentHashMap<>();

    static SslContextBuilder common(SslContextBuilder builder, List<String> protocols) {
        // Native memory goes with the object: unlike the mesh's, these contexts have many owners.
        builder.sslProvider(TlsLibrary.isNative() ? SslProvider.OPENSSL : SslProvider.JDK)
                .keyStoreType(KeyStores.IN_MEMORY)
                .protocols(TlsContexts.VERSIONS)
                .ciphers(TlsContexts.SUITES, SupportedCipherSuiteFilter.INSTANCE)
                .sessionTimeout(FullHandshakes.SECONDS);
        if (!protocols.isEmpty()) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE,
                    SelectedListenerFailureBehavior.ACCEPT,
                    protocols));
        }
        return builder;
    }

    /** A handler that starts a handshake with a server. */
    public SslHandler client(ByteBufAllocator allocator, UpstreamTls tls, InetSocketAddress peer) throws SSLException {
        SslContext known = clients.get(tls);
        if (known == null) {
            known = context(tls);
            if (clients.size() >= MAX_REMEMBERED) {
                clients.clear();
            }
            clients.put(tls, known);
        }
        return FullHandshakes.only(known.newHandler(allocator, tls.serverName(), peer.getPort()));
    }

    private static SslContext context(UpstreamTls tls) throws SSLException {
        SslContextBuilder builder = common(SslContextBuilder.forClient(), tls.protocols())
                // Without names of its own a server must have the one that it is asked for by.
                .endpointIdentificationAlgorithm(tls.names().isEmpty() ? "HTTPS" : null)
                .trustManager(new PathTrust(tls.authorities()));
        Credentials own = tls.own();
        if (own != null) {
            builder.keyManager(own.key(), own.chain().toArray(X509Certificate[]::new));
        }
        return FullHandshakes.only(builder.build());
    }

    /** Throws if who answered, in a handshake that has succeeded, has none of the names that it must have one of. */
    public static void verify(UpstreamTls expected, SSLSession session) throws SSLPeerUnverifiedException {
        if (expected.names().isEmpty()) {
            return;
        }
        boolean known = session.getPeerCertificates()[0] instanceof X509Certificate leaf
                && expected.names().stream().anyMatch(name -> SubjectNames.has(leaf, name));
        if (!known) {
            throw new SSLPeerUnverifiedException(
                    "the server's certificate has none of its names (expected: one of " + expected.names() + ")");
        }
    }
}
