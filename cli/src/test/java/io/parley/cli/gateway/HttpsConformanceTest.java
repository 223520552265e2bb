package io.parley.cli.gateway;

import static io.parley.cli.gateway.Request.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import io.parley.cli.FreePorts;
import io.parley.cli.TestControlPlane;
import io.parley.identity.certificate.Credentials;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** HTTPS listeners the whole way, named after the conformance tests that ask for them. */
@ExtendWith(SharedControlPlane.class)
class HttpsConformanceTest {
    private static final int PORT = FreePorts.next();
    private static final Certificates SERVERS = new Certificates();
    private static final Certificates CLIENTS = new Certificates();

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    @BeforeAll
    static void start(TestControlPlane controlPlane) {
        bed = new GatewayBed(controlPlane, "https");
        bed.service("v1", "8080", "8081=kubernetes.io/h2c");
        secret();
        bed.apply(CLIENTS.configMap("https", "clients"));
        bed.gateway("tls", """
            - {name: one, port: %1$d, protocol: HTTPS, hostname: one.example, tls: {certificateRefs: [{name: tls}]}}
            - {name: wild, port: %1$d, protocol: HTTPS, hostname: "*.wild.example", tls: {certificateRefs: [{name: tls}]}}
            """.formatted(PORT));
        bed.route("HTTPRoute", "tls", "{name: tls}", """
            rules:
              - backendRefs: [{name: v1, port: 8080}]
              - matches: [{path: {value: /h2c}}]
                backendRefs: [{name: v1, port: 8081}]
            """);
    }

    private static void secret() {
        bed.apply(Certificates.secret("https", "tls", SERVERS.issue("one.example", "*.wild.example")));
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    @Test
    void httpRouteHttpsListener() {
        for (String scheme : new String[] {"h1", "h2"}) {
            bed.http().expectBackend(get(PORT, "one.example", "/").in(scheme), "v1");
            bed.http().expectBackend(get(PORT, "a.wild.example", "/").in(scheme), "v1");
        }
    }

    @Test
    void case03_anH2ClientReachesAnH2cBackend() {
        bed.http().expectProtocol(get(PORT, "one.example", "/h2c").in("h2"), "HTTP/2.0");
    }

    @Test
    void case10_aWebSocketOverH2ReachesAnHttp1Backend() {
        bed.http().expectBackend(get(PORT, "one.example", "/").in("h2"), "v1");

        Sockets.expectEchoes("h2", "one.example", PORT);
    }

    @Test
    void httpRouteHttpsListenerDetectMisdirectedRequests() {
        Request request = get(PORT, "one.example", "/").in("h1");
        bed.http().expectBackend(request, "v1");

        bed.http().expectStatus(request.to("a.wild.example"), 421);
        bed.http().expectStatus(request.to("unknown.example"), 404);
    }

    @Test
    void aSecretThatIsRenewedIsShownWithoutARestart() {
        Request request = get(PORT, "one.example", "/").in("h1");
        bed.http().expectBackend(request, "v1");

        secret();

        bed.http().expectBackend(request, "v1");
    }

    @Test
    void gatewayFrontendClientCertificateValidation() {
        int port = FreePorts.next();
        checking("mutual", port, "AllowValidOnly");
        Credentials known = CLIENTS.issueClient();
        Credentials stranger = SERVERS.issueClient();

        Patience.until(
                "a certificate of ours", () -> assertThat(status(port, known)).isEqualTo(200));
        assertThatThrownBy(() -> status(port, null)).isNotNull();
        assertThatThrownBy(() -> status(port, stranger)).isNotNull();
    }

    @Test
    void gatewayFrontendClientCertificateValidationInsecureFallback() {
        int port = FreePorts.next();
        checking("lenient", port, "AllowInsecureFallback");
        Credentials stranger = SERVERS.issueClient();

        Patience.until("anybody", () -> assertThat(status(port, null)).isEqualTo(200));
        assertThat(status(port, stranger)).isEqualTo(200);
        assertThat(bed.conditionsAt("gateways", "lenient", "/status/conditions"))
                .contains("InsecureFrontendValidationMode=True/ConfigurationChanged");
        assertThat(bed.conditionsAt("gateways", "tls", "/status/conditions"))
                .noneMatch(condition -> condition.startsWith("InsecureFrontendValidationMode"));
    }

    private static void checking(String name, int port, String mode) {
        bed.gateway(
                name,
                "- {name: https, port: %d, protocol: HTTPS, tls: {certificateRefs: [{name: tls}]}}".formatted(port),
                """
                tls:
                  frontend:
                    default:
                      validation: {caCertificateRefs: [{group: "", kind: ConfigMap, name: clients}], mode: %s}
                """.formatted(mode));
        bed.route("HTTPRoute", name, name, "v1", 8080);
    }

    private static int status(int port, @Nullable Credentials shown) {
        try (ClientFactory clients = ClientFactory.builder()
                .tlsNoVerify()
                .tlsCustomizer(tls -> {
                    if (shown != null) {
                        tls.keyManager(shown.key(), shown.chain().toArray(X509Certificate[]::new));
                    }
                })
                .build()) {
            return WebClient.builder("h1://127.0.0.1:" + port)
                    .factory(clients)
                    .build()
                    .get("/")
                    .aggregate()
                    .join()
                    .status()
                    .code();
        }
    }
}
