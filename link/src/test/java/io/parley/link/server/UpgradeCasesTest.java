package io.parley.link.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyPairs;
import io.parley.identity.certificate.SpiffeId;
import io.parley.link.LinkLimits;
import io.parley.link.auth.Authentication;
import io.parley.link.auth.LinkAuthenticator;
import io.parley.link.auth.NodePrincipal;
import io.parley.link.auth.SharedCertificateAuthenticator;
import io.parley.link.auth.TokenAuthenticator;
import io.parley.link.fixture.EchoService;
import io.parley.link.fixture.Pki;
import io.parley.link.fixture.RawNode;
import io.parley.link.fixture.TestControlPlane;
import java.io.IOException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 37 to 40: whoever does not belong here is turned away while it is still HTTP. */
class UpgradeCasesTest {
    private static final Pki PKI = new Pki();
    private static final SSLContext TLS = PKI.tls(PKI.node("web"));
    private static final Credentials SHARED = new Pki().node("shared");
    private static final String PROTOCOL = "Sec-WebSocket-Protocol: wrpc.konghq.com";
    private static TestControlPlane controlPlane;

    @BeforeAll
    static void start() {
        LinkAuthenticator any = LinkAuthenticator.anyOf(
                TestControlPlane.byMeshCertificate(PKI),
                new SharedCertificateAuthenticator(SHARED.leaf(), Clock.systemUTC()),
                new TokenAuthenticator((token, _) -> CompletableFuture.completedFuture(
                        switch (token) {
                            case "good" -> new Authentication.Granted(NodePrincipal.named("by-token"));
                            case "other-mesh" -> new Authentication.Forbidden("token is for another mesh");
                            default -> new Authentication.Unauthenticated("token does not verify");
                        })));
        controlPlane = TestControlPlane.start(
                PKI,
                TestControlPlane.settings(LinkLimits.DEFAULT),
                any,
                List.of(new EchoService().binding("config", "v1", "")),
                LinkListener.NONE,
                0);
    }

    @AfterAll
    static void stop() {
        controlPlane.close();
    }

    @Test
    void case37_theSubprotocolMustBeAmongTheOffersAndAloneIsEchoed() throws IOException {
        assertStatus(TLS, RawNode.PATH, "400");
        assertStatus(TLS, RawNode.PATH, "400", "Sec-WebSocket-Protocol: graphql-ws, *");
        for (String[] offers : new String[][] {
            {"Sec-WebSocket-Protocol: chat, wrpc.konghq.com, other"},
            {"Sec-WebSocket-Protocol: *", "Sec-WebSocket-Protocol: wrpc.konghq.com"}
        }) {
            try (var node = RawNode.request(controlPlane.port(), TLS, RawNode.PATH, offers)) {
                assertThat(node.status()).startsWith("HTTP/1.1 101");
                assertThat(node.headers())
                        .filteredOn(line -> line.startsWith("sec-websocket-protocol"))
                        .containsExactly("sec-websocket-protocol: wrpc.konghq.com");
                assertThat(node.headers()).noneMatch(line -> line.startsWith("sec-websocket-extensions"));
                assertThat(node.negotiate("config", "v1").getServicesAcceptedCount())
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void case37_theRefusalNamesTheSubprotocol() throws IOException {
        try (var node = RawNode.request(controlPlane.port(), TLS, RawNode.PATH)) {
            assertThat(node.headers()).contains("sec-websocket-protocol: wrpc.konghq.com");
        }
    }

    @Test
    void compressionIsNeverAgreed() throws IOException {
        try (var node = RawNode.request(
                controlPlane.port(), TLS, RawNode.PATH, PROTOCOL, "Sec-WebSocket-Extensions: permessage-deflate")) {
            assertThat(node.status()).startsWith("HTTP/1.1 101");
            assertThat(node.headers()).noneMatch(line -> line.startsWith("sec-websocket-extensions"));
        }
    }

    @Test
    void case38_aProbeDoesNotFindNothing() throws IOException {
        try (var node = RawNode.send(
                controlPlane.port(), TLS, List.of("HEAD /v1/wrpc HTTP/1.1", "Host: localhost", "Connection: close"))) {
            assertThat(node.status()).startsWith("HTTP/1.1 200");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/wrpc",
                "/v1/wrpc?node_hostname=h&node_version=3.0.0",
                "/v1/wrpc?node_id=a&node_version=3.0.0",
                "/v1/wrpc?node_id=a&node_hostname=h",
                "/v1/wrpc?node_id=&node_hostname=h&node_version=3.0.0",
                "/v1/wrpc?node_id=a&node_id=b&node_hostname=h&node_version=3.0.0",
                "/v1/wrpc?node_id=a&node_hostname=h&node_version=new",
                "/v1/wrpc?node_id=a%0Ab&node_hostname=h&node_version=3.0.0"
            })
    void case39_badParametersAreRefused(String path) throws IOException {
        assertStatus(TLS, path, "400", PROTOCOL);
    }

    @Test
    void aRequestWithoutUpgradeIsRefused() throws IOException {
        var lines = List.of("GET " + RawNode.PATH + " HTTP/1.1", "Host: localhost", PROTOCOL);
        try (var node = RawNode.send(controlPlane.port(), TLS, lines)) {
            assertThat(node.status()).startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void case40_noForeignExpiredOrServerCertificateComesIn() throws IOException {
        assertStatus(PKI.tls(null), RawNode.PATH, "401", PROTOCOL);
        assertStatus(PKI.tls(new Pki().node("web")), RawNode.PATH, "401", PROTOCOL);
        assertStatus(PKI.tls(expired()), RawNode.PATH, "401", PROTOCOL);
        assertStatus(PKI.tls(PKI.server()), RawNode.PATH, "401", PROTOCOL);
    }

    @Test
    void theSharedCertificateComesIn() throws IOException {
        assertStatus(PKI.tls(SHARED), RawNode.PATH, "101", PROTOCOL);
    }

    @Test
    void aTokenComesInIfItVerifies() throws IOException {
        assertStatus(PKI.tls(null), RawNode.PATH, "101", PROTOCOL, "Authorization: Bearer good");
        assertStatus(PKI.tls(null), RawNode.PATH, "401", PROTOCOL, "Authorization: Bearer bad");
        assertStatus(PKI.tls(null), RawNode.PATH, "403", PROTOCOL, "Authorization: Bearer other-mesh");
        assertStatus(PKI.tls(null), RawNode.PATH, "401", PROTOCOL, "Authorization: Basic Z29vZA==");
    }

    @Test
    void aNodeThatDoesNotTrustTheControlPlaneSendsNothing() {
        assertThatThrownBy(() -> RawNode.upgraded(controlPlane.port(), new Pki().tls(null)))
                .isInstanceOf(IOException.class);
    }

    private static Credentials expired() {
        KeyPair keys = KeyPairs.generate(new SecureRandom());
        var yesterday = Clock.fixed(Instant.now().minus(Duration.ofHours(23)), ZoneOffset.UTC);
        var past = new CertificateAuthority(
                PKI.authority().certificate(), PKI.authority().privateKey(), yesterday, new SecureRandom());
        var certificate =
                past.issueWorkload(SpiffeId.ofService("default", "web"), keys.getPublic(), Duration.ofMinutes(1));
        return new Credentials(List.of(certificate), keys.getPrivate());
    }

    private static void assertStatus(SSLContext tls, String path, String status, String... headers) throws IOException {
        try (var node = RawNode.request(controlPlane.port(), tls, path, headers)) {
            assertThat(node.status()).startsWith("HTTP/1.1 " + status);
        }
    }
}
