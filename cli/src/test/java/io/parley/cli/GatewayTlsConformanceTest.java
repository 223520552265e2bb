package io.parley.cli;

import static io.parley.cli.GatewayBed.Request.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.cli.GatewayBed.Request;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.Pem;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS listeners the whole way, named after the conformance tests that ask for them. */
class GatewayTlsConformanceTest {
    private static final int PORT = GatewayBed.freePort();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path data;

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    @BeforeAll
    static void start() {
        bed = new GatewayBed(data);
        bed.service("infra", "v1", "8080", "8081=kubernetes.io/h2c");
        secret("tls");
        bed.gateway("tls", """
            - {name: one, port: %1$d, protocol: HTTPS, hostname: one.example, tls: {certificateRefs: [{name: tls}]}}
            - {name: wild, port: %1$d, protocol: HTTPS, hostname: "*.wild.example", tls: {certificateRefs: [{name: tls}]}}
            """.formatted(PORT));
        bed.apply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: tls, namespace: infra}
            spec:
              parentRefs: [{name: tls}]
              rules:
                - backendRefs: [{name: v1, port: 8080}]
                - matches: [{path: {value: /h2c}}]
                  backendRefs: [{name: v1, port: 8081}]
            """);
    }

    private static void secret(String name) {
        CertificateAuthority authority =
                CertificateAuthority.create("test", Duration.ofDays(1), Clock.systemUTC(), new SecureRandom());
        Credentials server =
                authority.issueServer(List.of("one.example", "*.wild.example"), List.of(), Duration.ofDays(1));
        bed.apply("""
            apiVersion: v1
            kind: Secret
            metadata: {name: %s, namespace: infra}
            type: kubernetes.io/tls
            stringData:
              tls.crt: |
            %s
              tls.key: |
            %s\
            """.formatted(
                        name,
                        Pem.encode(server.chain()).indent(4),
                        Pem.encode(server.key()).indent(4)));
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    @Test
    void httpRouteHttpsListener() {
        for (String scheme : new String[] {"h1", "h2"}) {
            Request request = get(PORT, "one.example", "/").in(scheme);
            bed.expectBackend(request, "v1");
            bed.expectBackend(get(PORT, "a.wild.example", "/").in(scheme), "v1");
        }
    }

    @Test
    void case03_anH2ClientReachesAnH2cBackend() {
        bed.expect(
                get(PORT, "one.example", "/h2c").in("h2"),
                answer -> assertThat(GatewayBed.echo(answer).path("proto").asText())
                        .isEqualTo("HTTP/2.0"));
    }

    @Test
    void httpRouteHttpsListenerDetectMisdirectedRequests() {
        Request request = get(PORT, "one.example", "/").in("h1");
        bed.expectBackend(request, "v1");

        bed.expectStatus(request.from("one.example").to("a.wild.example"), 421);
        bed.expectStatus(request.from("one.example").to("unknown.example"), 404);
    }

    @Test
    void aSecretThatIsRenewedIsShownWithoutARestart() {
        Request request = get(PORT, "one.example", "/").in("h1");
        bed.expectBackend(request, "v1");

        secret("tls");

        bed.expectBackend(request, "v1");
    }
}
