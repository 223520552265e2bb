package io.parley.cli.gateway;

import static io.parley.cli.gateway.Request.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import io.parley.cli.FreePorts;
import io.parley.cli.TestControlPlane;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** BackendTLSPolicy the whole way: the conformance suite's tests, and our cases in which TLS meets a declared protocol. */
@ExtendWith(SharedControlPlane.class)
class BackendTlsPolicyTest {
    private static final String NAMESPACE = "policies";
    private static final String POLICIES = "backendtlspolicies";
    private static final String ANCESTOR = "/status/ancestors/0/conditions";
    private static final int PORT = FreePorts.next();
    private static final Certificates AUTHORITY = new Certificates();
    private static final EchoBackend BACKEND =
            new EchoBackend("secure", AUTHORITY.issue("abc.example", "other.example"));

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    @BeforeAll
    static void start(TestControlPlane controlPlane) {
        bed = new GatewayBed(controlPlane, NAMESPACE);
        bed.apply(AUTHORITY.configMap(NAMESPACE, "right"));
        bed.apply(new Certificates().configMap(NAMESPACE, "wrong"));
        bed.gateway("edge", "- {name: http, port: %d, protocol: HTTP}".formatted(PORT));
    }

    @AfterAll
    static void stop() {
        bed.close();
        BACKEND.close();
    }

    /** A Service of its own for the one secure backend, and a route to it. */
    private static Request backend(String name, String port) {
        bed.endpoint(name, BACKEND.port(), port);
        bed.route("HTTPRoute", name, "{name: edge}", """
            hostnames: [%1$s.example]
            rules: [{backendRefs: [{name: %1$s, port: 443}]}]
            """.formatted(name));
        return get(PORT, name + ".example", "/");
    }

    private static void policy(String name, String service, String validation) {
        bed.apply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: BackendTLSPolicy
            metadata: {name: %s, namespace: policies}
            spec:
              targetRefs: [{group: "", kind: Service, name: %s}]
              validation: {%s}
            """.formatted(name, service, validation));
    }

    private static String by(String configMap, String hostname) {
        return "hostname: %s, caCertificateRefs: [{group: '', kind: ConfigMap, name: %s}]"
                .formatted(hostname, configMap);
    }

    private static void expectSecure(Request request, String protocol) {
        bed.http().expect(request, answer -> {
            assertThat(HttpCalls.echo(answer).path("tls").asBoolean()).isTrue();
            assertThat(HttpCalls.echo(answer).path("proto").asText()).isEqualTo(protocol);
        });
    }

    private static void expectFailure(Request request) {
        bed.http().expect(request, answer -> assertThat(answer.status().code()).isBetween(500, 599));
    }

    @Test
    void backendTlsPolicy_case34_whereNothingIsDeclaredTheBackendChooses() {
        Request request = backend("usual", "443");
        policy("usual", "usual", by("right", "abc.example"));

        expectSecure(request, "HTTP/2.0");
        Patience.until(
                "accepted",
                () -> assertThat(bed.conditionsAt(POLICIES, "usual", ANCESTOR))
                        .containsExactly("Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs"));
    }

    @Test
    void case34_h2cWithAPolicyIsHttp2InTls_andHttpsIsNegotiated() {
        Request h2 = backend("declared", "443=kubernetes.io/h2c");
        Request https = backend("https", "443=HTTPS");
        policy("declared", "declared", by("right", "abc.example"));
        policy("https", "https", by("right", "abc.example"));

        expectSecure(h2, "HTTP/2.0");
        expectSecure(https, "HTTP/2.0");
    }

    @Test
    void backendTlsPolicy_aCertificateOfAnotherAuthorityOrNameIsRefused() {
        Request wrongAuthority = backend("authority", "443");
        policy("authority", "authority", by("wrong", "abc.example"));
        Request wrongName = backend("name", "443");
        policy("name", "name", by("right", "nobody.example"));

        for (Request request : new Request[] {wrongAuthority, wrongName}) {
            Patience.until(
                    "served", () -> assertThat(bed.http().status(request)).isNotEqualTo(404));
            expectFailure(request);
            AggregatedHttpResponse answer = bed.http().send(request);
            assertThat(answer.headers().get("x-parley-error")).isNotNull();
        }
    }

    @Test
    void backendTlsPolicySanValidation() {
        Request request = backend("names", "443");
        String names = by("right", "asked.example") + ", subjectAltNames: [{type: Hostname, hostname: %s}]";
        policy("names", "names", names.formatted("abc.example"));
        expectSecure(request, "HTTP/2.0");

        policy("names", "names", names.formatted("nobody.example"));
        expectFailure(request);
    }

    @Test
    void backendTlsPolicyInvalidCaCertificateRef_andInvalidKind() {
        Request request = backend("invalid", "443");
        policy("invalid", "invalid", by("nothing", "abc.example"));
        expectFailure(request);
        expectPolicy("invalid", "Accepted=False/NoValidCACertificate", "ResolvedRefs=False/InvalidCACertificateRef");

        policy(
                "invalid",
                "invalid",
                "hostname: abc.example, caCertificateRefs: [{group: x.example, kind: Bag, name: x}]");
        expectPolicy("invalid", "Accepted=False/NoValidCACertificate", "ResolvedRefs=False/InvalidKind");
        expectFailure(request);

        policy("invalid", "invalid", by("right", "abc.example"));
        expectSecure(request, "HTTP/2.0");
        expectPolicy("invalid", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void backendTlsPolicyConflictResolution() {
        Request request = backend("conflict", "443");
        policy("older", "conflict", by("right", "abc.example"));
        expectSecure(request, "HTTP/2.0");
        policy("newer", "conflict", by("wrong", "abc.example"));

        expectPolicy("newer", "Accepted=False/Conflicted", "ResolvedRefs=True/ResolvedRefs");
        expectPolicy("older", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
        expectSecure(request, "HTTP/2.0");
    }

    private static void expectPolicy(String name, String... conditions) {
        Patience.until(
                name,
                () -> assertThat(bed.conditionsAt(POLICIES, name, ANCESTOR)).containsExactly(conditions));
    }

    @Test
    void case13_case14_aSecureWebSocketNeedsItsPolicyAndOpenSocketsOutliveIt() {
        Request request = backend("wss", "443=kubernetes.io/wss");
        policy("wss", "wss", by("right", "abc.example"));
        expectSecure(request, "HTTP/1.1");
        try (Sockets open = Sockets.open("h1c", "wss.example", PORT)) {
            open.expectEcho();

            bed.delete(POLICIES, "wss");
            bed.http().expectStatus(request, 500);
            bed.expectConditions(
                    "httproutes",
                    "wss",
                    "Accepted=False/UnsupportedProtocol",
                    "ResolvedRefs=False/UnsupportedProtocol");
            open.expectEcho();
        }

        policy("wss", "wss", by("right", "abc.example"));
        expectSecure(request, "HTTP/1.1");
        Sockets.expectEchoes("h1c", "wss.example", PORT);
    }
}
