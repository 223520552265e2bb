package io.parley.proxy.gateway;

import static io.parley.proxy.config.xds.Resources.extras;
import static io.parley.proxy.gateway.Calls.said;
import static io.parley.proxy.gateway.Gateway.host;
import static io.parley.proxy.gateway.Gateway.listener;
import static io.parley.proxy.gateway.Gateway.routes;
import static io.parley.proxy.gateway.Gateway.to;
import static io.parley.proxy.gateway.Gateway.toRoutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.BoolValue;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.TlsKeyPair;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.FilterChainMatch;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyPairs;
import io.parley.identity.certificate.KeyStores;
import io.parley.identity.certificate.Pem;
import io.parley.proxy.app.Logged;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.xds.Resources;
import io.parley.proxy.telemetry.FailureLog;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** TLS with clients and with backends, none of whom is a member of the mesh. */
class TlsTest {
    private static final String HTTPS = "gateway:infra/edge:443";
    static final CertificateAuthority AUTHORITY = TestMesh.authority();
    static final Credentials A = server("a.example");
    private static final Credentials WILD = server("*.b.example");

    private static final EchoServer PLAIN = EchoServer.start("plain");
    private static final EchoServer SECURE = EchoServer.start(
            "secure",
            builder -> builder.https(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .tls(TlsKeyPair.of(A.key(), A.chain())));

    private final Gateway gateway = new Gateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    @AfterAll
    static void stop() {
        PLAIN.close();
        SECURE.close();
    }

    private static Credentials server(String name) {
        return AUTHORITY.issueServer(List.of(name), List.of(), Duration.ofHours(1));
    }

    private Gateway https(Listener.Builder listener) {
        gateway.backend(Gateway.h2c("h2c"), PLAIN.port())
                .tell(ResourceType.SECRET, secret("infra/a", A), secret("infra/wild", WILD))
                .tell(
                        ResourceType.ROUTE,
                        routes(HTTPS + "/a", host("a.example", to("/", "h2c"))),
                        routes(HTTPS + "/wild", host("*", to("/", "h2c"))));
        return gateway.tell(ResourceType.LISTENER, listener.build());
    }

    private static Listener.Builder twoNames() {
        return listener(HTTPS)
                .addFilterChains(ended("infra/a", toRoutes(HTTPS + "/a"), "a.example"))
                .addFilterChains(ended("infra/wild", toRoutes(HTTPS + "/wild"), "*.b.example"));
    }

    static FilterChain ended(String secret, FilterChain chain, String... names) {
        DownstreamTlsContext.Builder tls = DownstreamTlsContext.newBuilder();
        tls.getCommonTlsContextBuilder()
                .addTlsCertificateSdsSecretConfigs(SdsSecretConfig.newBuilder().setName(secret))
                .addAlpnProtocols("h2")
                .addAlpnProtocols("http/1.1");
        return with(tls.build(), chain, names);
    }

    private static FilterChain with(DownstreamTlsContext tls, FilterChain chain, String... names) {
        return chain.toBuilder()
                .setFilterChainMatch(FilterChainMatch.newBuilder().addAllServerNames(List.of(names)))
                .setTransportSocket(TransportSocket.newBuilder().setName("tls").setTypedConfig(Any.pack(tls)))
                .build();
    }

    static Secret secret(String name, Credentials credentials) {
        Secret.Builder secret = Secret.newBuilder().setName(name);
        secret.getTlsCertificateBuilder()
                .setCertificateChain(inline(Pem.encode(credentials.chain())))
                .setPrivateKey(inline(Pem.encode(credentials.key())));
        return secret.build();
    }

    private static DataSource inline(String text) {
        return DataSource.newBuilder().setInlineString(text).build();
    }

    private AggregatedHttpResponse call(SessionProtocol protocol, String name, ClientFactory factory) {
        return WebClient.builder(
                        protocol,
                        Endpoint.of(name, gateway.address(HTTPS).getPort()).withIpAddr("127.0.0.1"))
                .factory(factory)
                .build()
                .get("/")
                .aggregate()
                .join();
    }

    private static ClientFactory trusting() {
        return ClientFactory.builder()
                .tlsCustomizer(tls -> tls.trustManager(AUTHORITY.certificate()))
                .build();
    }

    @Test
    void case03_anH2ClientOverTlsReachesAnH2cBackend() {
        https(twoNames());
        try (ClientFactory factory = trusting()) {
            AggregatedHttpResponse answer = call(SessionProtocol.H2, "a.example", factory);
            assertThat(said(answer, "protocol")).isEqualTo("HTTP/2");
            assertThat(said(answer, "x-forwarded-proto")).isEqualTo("https");
            assertThat(said(call(SessionProtocol.H1, "a.example", factory), "x-forwarded-proto"))
                    .isEqualTo("https");
        }
    }

    @Test
    void aCertificateIsChosenByNameAndUnknownNamesAreTurnedAway() {
        https(twoNames());
        try (ClientFactory factory = trusting()) {
            assertThat(call(SessionProtocol.H1, "x.b.example", factory).status().code())
                    .isEqualTo(200);
            assertThatThrownBy(() -> call(SessionProtocol.H1, "c.example", factory))
                    .hasStackTraceContaining("UNRECOGNIZED_NAME");
        }
        assertThat(gateway.metrics()).contains("error=\"unknown-name\"");
    }

    @Test
    void aSecretThatChangesIsUsedFromTheNextHandshakeOn() {
        https(twoNames());
        CertificateAuthority other = TestMesh.authority();
        gateway.tell(
                ResourceType.SECRET,
                secret("infra/a", other.issueServer(List.of("a.example"), List.of(), Duration.ofHours(1))));
        try (ClientFactory old = trusting();
                ClientFactory fresh = ClientFactory.builder()
                        .tlsCustomizer(tls -> tls.trustManager(other.certificate()))
                        .build()) {
            assertThat(call(SessionProtocol.H1, "a.example", fresh).status().code())
                    .isEqualTo(200);
            assertThatThrownBy(() -> call(SessionProtocol.H1, "a.example", old)).isNotNull();
        }
    }

    @Test
    void aListenerWaitsForItsSecrets() {
        gateway.tell(ResourceType.ROUTE, routes(HTTPS + "/a", host("*")));
        gateway.tell(
                ResourceType.LISTENER,
                listener(HTTPS)
                        .addFilterChains(ended("infra/late", toRoutes(HTTPS + "/a"), "a.example"))
                        .build());
        assertThat(gateway.waiting()).containsKey(HTTPS);
        gateway.tell(ResourceType.SECRET, secret("infra/late", A));
        assertThat(gateway.waiting()).isEmpty();
    }

    @Test
    void clientsMayBeAskedForCertificates() {
        DownstreamTlsContext.Builder tls =
                DownstreamTlsContext.newBuilder().setRequireClientCertificate(BoolValue.of(true));
        tls.getCommonTlsContextBuilder()
                .addTlsCertificateSdsSecretConfigs(SdsSecretConfig.newBuilder().setName("infra/a"))
                .setValidationContextSdsSecretConfig(
                        SdsSecretConfig.newBuilder().setName("infra/clients"));
        gateway.tell(ResourceType.SECRET, authorities("infra/clients", AUTHORITY.certificate()));
        https(listener(HTTPS).addFilterChains(with(tls.build(), toRoutes(HTTPS + "/a"), "a.example")));
        Credentials own = client();
        try (ClientFactory stranger = trusting();
                ClientFactory known = ClientFactory.builder()
                        .tlsCustomizer(builder ->
                                builder.trustManager(AUTHORITY.certificate()).keyManager(own.key(), own.chain()))
                        .build()) {
            assertThat(call(SessionProtocol.H1, "a.example", known).status().code())
                    .isEqualTo(200);
            assertThatThrownBy(() -> call(SessionProtocol.H1, "a.example", stranger))
                    .isNotNull();
        }
    }

    private static Credentials client() {
        KeyPair pair = KeyPairs.generate(new SecureRandom());
        return new Credentials(
                List.of(AUTHORITY.issueWorkload(TestMesh.CLIENT, pair.getPublic(), Duration.ofHours(1))),
                pair.getPrivate());
    }

    private static Secret authorities(String name, X509Certificate authority) {
        return Secret.newBuilder()
                .setName(name)
                .setValidationContext(
                        CertificateValidationContext.newBuilder().setTrustedCa(inline(Pem.encode(authority))))
                .build();
    }

    @Test
    void case11_tlsIsPassedOnByNameBesideNamesThatAreEndedHere() {
        gateway.backend(Gateway.cluster("tls"), SECURE.port());
        https(listener(HTTPS)
                .addFilterChains(Resources.toCluster("tls")
                        .setFilterChainMatch(FilterChainMatch.newBuilder().addServerNames("a.example")))
                .addFilterChains(ended("infra/wild", toRoutes(HTTPS + "/wild"), "*.b.example")));
        try (ClientFactory factory = trusting()) {
            assertThat(said(call(SessionProtocol.H2, "a.example", factory), "server"))
                    .isEqualTo("secure");
            assertThat(said(call(SessionProtocol.H2, "x.b.example", factory), "server"))
                    .isEqualTo("plain");
        }
    }

    @Test
    void tlsIsEndedBeforeBytesArePassedOn() {
        gateway.backend(Gateway.cluster("tcp"), PLAIN.port());
        https(listener(HTTPS)
                .addFilterChains(ended("infra/a", Resources.toCluster("tcp").build(), "a.example")));
        try (ClientFactory factory = ClientFactory.builder()
                .tlsCustomizer(tls -> tls.trustManager(AUTHORITY.certificate()))
                .build()) {
            AggregatedHttpResponse answer = call(SessionProtocol.H1, "a.example", factory);
            assertThat(said(answer, "server")).isEqualTo("plain");
            assertThat(said(answer, "tls")).isEqualTo("false");
        }
    }

    static Cluster.Builder secured(Cluster.Builder cluster, UpstreamTlsContext.Builder tls) {
        return cluster.setMetadata(extras(Map.of("tls", "public")))
                .setTransportSocket(TransportSocket.newBuilder().setName("tls").setTypedConfig(Any.pack(tls.build())));
    }

    static UpstreamTlsContext.Builder upstream(String name) {
        UpstreamTlsContext.Builder tls = UpstreamTlsContext.newBuilder().setSni(name);
        tls.getCommonTlsContextBuilder()
                .getValidationContextBuilder()
                .setTrustedCa(inline(Pem.encode(AUTHORITY.certificate())));
        return tls;
    }

    private String protocolOf(Cluster.Builder cluster) {
        gateway.backend(cluster, SECURE.port()).http(to("/", cluster.getName()));
        AggregatedHttpResponse answer = Calls.http1(gateway.port(), "/");
        return answer.status().code() == 200
                ? said(answer, "protocol") + " " + said(answer, "tls")
                : answer.status().codeAsText() + " " + answer.contentUtf8();
    }

    @Test
    void case34_aBackendIsSpokenToByTlsInTheProtocolThatIsAgreedOn() {
        assertThat(protocolOf(secured(Gateway.negotiated("alpn"), upstream("a.example"))))
                .isEqualTo("HTTP/2 true");
        assertThat(protocolOf(secured(Gateway.http1("one"), upstream("a.example"))))
                .isEqualTo("HTTP/1 true");
        assertThat(protocolOf(secured(Gateway.h2c("two"), upstream("a.example"))))
                .isEqualTo("HTTP/2 true");
    }

    /** However the client came: some servers refuse what is asked for as {@code http} by TLS. */
    @Test
    void aBackendBehindTlsIsAskedForHttps() {
        gateway.backend(secured(Gateway.h2c("two"), upstream("a.example")), SECURE.port())
                .http(to("/", "two"));
        AggregatedHttpResponse answer = Calls.http2(gateway.port(), "/");
        assertThat(said(answer, ":scheme")).isEqualTo("https");
        assertThat(said(answer, "x-forwarded-proto")).isEqualTo("http");
    }

    @Test
    void aBackendMustBeWhoItShouldBe() {
        assertThat(protocolOf(secured(Gateway.http1("wrong"), upstream("other.example"))))
                .startsWith("503");
        UpstreamTlsContext.Builder named = upstream("a.example");
        named.getCommonTlsContextBuilder()
                .getValidationContextBuilder()
                .addMatchTypedSubjectAltNames(SubjectAltNameMatcher.newBuilder()
                        .setSanType(SubjectAltNameMatcher.SanType.DNS)
                        .setMatcher(StringMatcher.newBuilder().setExact("z.example")));
        try (Logged logged = Logged.by(FailureLog.class)) {
            assertThat(protocolOf(secured(Gateway.http1("named"), named)))
                    .startsWith("503")
                    .doesNotContain("z.example");
            assertThat(logged.lines()).singleElement().asString().contains("z.example");
        }
    }

    @Test
    void case34_aBackendThatMustSpeakHttp2AndDoesNotAgreeToItIs502() throws Exception {
        try (SSLServerSocket old = withoutAlpn()) {
            Thread.ofVirtual().start(() -> {
                try (Socket socket = old.accept()) {
                    byte[] _ = socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                    // The gateway hung up.
                }
            });
            gateway.backend(secured(Gateway.h2c("two"), upstream("a.example")), old.getLocalPort())
                    .http(to("/", "two"));
            AggregatedHttpResponse answer = Calls.http1(gateway.port(), "/");
            assertThat(answer.status().code()).isEqualTo(502);
            assertThat(gateway.complaint("two")).contains("HTTP/2 and spoke TLS without h2 in ALPN");
        }
    }

    @Test
    void case13_aWebSocketReachesABackendBehindTlsInHttp1() throws Exception {
        gateway.backend(secured(Gateway.http1("wss"), upstream("a.example")), SECURE.port())
                .http(to("/", "wss"));
        try (HttpClient client = HttpClient.newHttpClient()) {
            CompletableFuture<String> got = new CompletableFuture<>();
            WebSocket socket = client.newWebSocketBuilder()
                    .header("Origin", "http://shop.example")
                    .buildAsync(URI.create("ws://127.0.0.1:" + gateway.port() + "/ws"), new WebSocket.Listener() {
                        @Override
                        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
                            got.complete(text.toString());
                            return null;
                        }
                    })
                    .get(30, TimeUnit.SECONDS);
            socket.sendText("hello", true).join();
            assertThat(got.get(30, TimeUnit.SECONDS)).isEqualTo("hello");
            socket.abort();
        }
    }

    static SSLServerSocket withoutAlpn() throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance(KeyStores.IN_MEMORY);
        keys.load(null, null);
        keys.setKeyEntry("own", A.key(), new char[0], A.chain().toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }
}
