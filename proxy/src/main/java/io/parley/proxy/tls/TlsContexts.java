package io.parley.proxy.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.ReferenceCountUtil;
import io.parley.identity.certificate.KeyStores;
import io.parley.wire.header.ConnectionHeader;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;

/** The TLS settings for one certificate, on both sides, by what is negotiated: a version of HTTP, a connection header or nothing. */
record TlsContexts(
        MeshCredentials credentials,
        SslContext server,
        SslContext serverWithHeader,
        SslContext client,
        SslContext clientOfHttp1,
        SslContext clientOfHttp2,
        SslContext clientWithHeader) {
    private static final SslProvider PROVIDER = TlsLibrary.isNative() ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK;

    static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");

    /** TLS 1.3's three, and what is as good in 1.2: ephemeral keys and authenticated encryption only. */
    static final List<String> SUITES = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static final ApplicationProtocolConfig HEADER = alpn(ConnectionHeader.ALPN);

    /** A program that speaks mutual TLS itself goes by what is agreed on here; gRPC hangs up if nothing is. */
    private static final ApplicationProtocolConfig HTTP2 = alpn("h2");

    /** An Envoy whose application may speak anything finds out by this alone that HTTP comes, and what policies say of requests holds. */
    private static final ApplicationProtocolConfig HTTP1 = alpn("http/1.1");

    private static final ApplicationProtocolConfig EITHER_HTTP = alpn("h2", "http/1.1");

    private static ApplicationProtocolConfig alpn(String... protocols) {
        return new ApplicationProtocolConfig(
                Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, protocols);
    }

    static TlsContexts create(MeshCredentials held) throws SSLException {
        return new TlsContexts(
                held,
                FullHandshakes.only(
                        server(held).applicationProtocolConfig(EITHER_HTTP).build()),
                FullHandshakes.only(
                        server(held).applicationProtocolConfig(HEADER).build()),
                FullHandshakes.only(client(held).build()),
                FullHandshakes.only(
                        client(held).applicationProtocolConfig(HTTP1).build()),
                FullHandshakes.only(
                        client(held).applicationProtocolConfig(HTTP2).build()),
                FullHandshakes.only(
                        client(held).applicationProtocolConfig(HEADER).build()));
    }

    /** For a peer that reads no connection header. */
    SslContext offering(MeshTls.Offer offer) {
        return switch (offer) {
            case NOTHING -> client;
            case HTTP1 -> clientOfHttp1;
            case HTTP2 -> clientOfHttp2;
        };
    }

    /** One handshake between the two sides of this proxy, as it will have with others. */
    void rehearse() {
        ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
        Rehearsal.of(
                FullHandshakes.only(clientWithHeader.newHandler(allocator)),
                FullHandshakes.only(serverWithHeader.newHandler(allocator)));
    }

    void release() {
        for (SslContext context :
                List.of(server, serverWithHeader, client, clientOfHttp1, clientOfHttp2, clientWithHeader)) {
            ReferenceCountUtil.release(context);
        }
    }

    private static SslContextBuilder server(MeshCredentials held) {
        return common(
                        SslContextBuilder.forServer(
                                held.credentials().key(),
                                held.credentials().chain().toArray(X509Certificate[]::new)),
                        held)
                .clientAuth(ClientAuth.REQUIRE);
    }

    private static SslContextBuilder client(MeshCredentials held) {
        return common(
                        SslContextBuilder.forClient()
                                .keyManager(
                                        held.credentials().key(),
                                        held.credentials().chain().toArray(X509Certificate[]::new)),
                        held)
                // The certificate names a member of the mesh, not a host; the dialler checks whose it is.
                .endpointIdentificationAlgorithm(null);
    }

    private static SslContextBuilder common(SslContextBuilder builder, MeshCredentials held) {
        return builder.sslProvider(PROVIDER)
                .keyStoreType(KeyStores.IN_MEMORY)
                .protocols(VERSIONS)
                .ciphers(SUITES, SupportedCipherSuiteFilter.INSTANCE)
                .trustManager(new MeshTrustManager(held.trust()))
                .sessionTimeout(FullHandshakes.SECONDS);
    }
}
