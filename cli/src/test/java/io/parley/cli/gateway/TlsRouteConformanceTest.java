package io.parley.cli.gateway;

import static io.parley.cli.gateway.Request.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.parley.cli.FreePorts;
import io.parley.cli.TestControlPlane;
import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** TLSRoute the whole way: TLS that is passed on, TLS that is ended, and both on one port. */
@ExtendWith(SharedControlPlane.class)
class TlsRouteConformanceTest {
    private static final String NAMESPACE = "tls-routes";
    private static final int PORT = FreePorts.next();
    private static final Certificates AUTHORITY = new Certificates();
    private static final EchoBackend SECURE = new EchoBackend("secure", AUTHORITY.issue("pass.example"));
    private static final ByteBackend BYTES = new ByteBackend("bytes");

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    @BeforeAll
    static void start(TestControlPlane controlPlane) {
        bed = new GatewayBed(controlPlane, NAMESPACE);
        bed.endpoint("secure", SECURE.port(), "443", "444=kubernetes.io/wss");
        bed.endpoint("bytes", BYTES.port(), "9000");
        bed.service("web", "80");
        bed.apply(Certificates.secret(NAMESPACE, "tls", AUTHORITY.issue("end.example", "web.example")));
        bed.gateway("tls", """
            - {name: pass, port: %1$d, protocol: TLS, hostname: "*.pass.example", tls: {mode: Passthrough}}
            - {name: end, port: %1$d, protocol: TLS, hostname: end.example, tls: {certificateRefs: [{name: tls}]}}
            - {name: web, port: %1$d, protocol: HTTPS, hostname: web.example, tls: {certificateRefs: [{name: tls}]}}
            """.formatted(PORT));
    }

    @AfterAll
    static void stop() {
        bed.close();
        SECURE.close();
        BYTES.close();
    }

    private static void route(String name, String hostname, String service, int port) {
        bed.route("TLSRoute", name, "{name: tls}", """
            hostnames: [%s]
            rules: [{backendRefs: [{name: %s, port: %d}]}]
            """.formatted(hostname, service, port));
    }

    @Test
    void tlsRouteSimpleSameNamespace_tlsIsPassedOn() {
        route("passed", "a.pass.example", "secure", 443);

        for (String scheme : new String[] {"h1", "h2"}) {
            bed.http().expect(get(PORT, "a.pass.example", "/").in(scheme), answer -> {
                assertThat(HttpCalls.pod(answer)).isEqualTo("secure");
                assertThat(HttpCalls.echo(answer).path("tls").asBoolean()).isTrue();
            });
        }
        bed.expectConditions("tlsroutes", "passed", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void case11_aSecureWebSocketIsPassedOn() {
        route("wss", "wss.pass.example", "secure", 444);
        bed.http().expectBackend(get(PORT, "wss.pass.example", "/").in("h1"), "secure");

        Sockets.expectEchoes("h1", "wss.pass.example", PORT);
        bed.expectConditions("tlsroutes", "wss", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void tlsRouteTerminateSimpleSameNamespace_andMixedOnOnePort() {
        route("ended", "end.example", "bytes", 9000);
        bed.route(
                "HTTPRoute", "web", "{name: tls, sectionName: web}", "rules: [{backendRefs: [{name: web, port: 80}]}]");

        Patience.until("bytes", () -> assertThat(greeted("end.example")).isEqualTo("bytes"));
        bed.http().expectBackend(get(PORT, "web.example", "/").in("h2"), "web");
    }

    @Test
    void tlsRouteHostnameIntersection_andNoMatchingListenerHostname() {
        route("wide", "\"*.pass.example\"", "secure", 443);
        bed.http().expectBackend(get(PORT, "any.pass.example", "/").in("h1"), "secure");
        assertThatThrownBy(() -> greeted("other.example")).isInstanceOf(IOException.class);

        route("nowhere", "nowhere.example", "secure", 443);
        bed.expectConditions(
                "tlsroutes", "nowhere", "Accepted=False/NoMatchingListenerHostname", "ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void tlsRouteInvalidBackendRefNonexistent_andUnknownKind_andNoMatchingListener() {
        route("missing", "missing.pass.example", "nobody", 443);
        bed.expectConditions("tlsroutes", "missing", "Accepted=True/Accepted", "ResolvedRefs=False/BackendNotFound");
        assertThatThrownBy(() -> greeted("missing.pass.example")).isInstanceOf(IOException.class);

        bed.route("TLSRoute", "kind", "{name: tls}", """
            hostnames: [kind.pass.example]
            rules: [{backendRefs: [{kind: Bucket, name: secure, port: 443}]}]
            """);
        bed.expectConditions("tlsroutes", "kind", "Accepted=True/Accepted", "ResolvedRefs=False/InvalidKind");

        bed.route("TLSRoute", "section", "{name: tls, sectionName: no}", """
            hostnames: [a.pass.example]
            rules: [{backendRefs: [{name: secure, port: 443}]}]
            """);
        bed.expectConditions(
                "tlsroutes", "section", "Accepted=False/NoMatchingParent", "ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void tlsRouteInvalidReferenceGrant() {
        bed.endpointIn("tls-away", "far", SECURE.port(), "443");
        bed.route("TLSRoute", "far", "{name: tls}", """
            hostnames: [far.pass.example]
            rules: [{backendRefs: [{name: far, namespace: tls-away, port: 443}]}]
            """);
        String grant = """
            apiVersion: gateway.networking.k8s.io/v1beta1
            kind: ReferenceGrant
            metadata: {name: all, namespace: tls-away}
            spec:
              from: [{group: gateway.networking.k8s.io, kind: %s, namespace: tls-routes}]
              to: [{group: "", kind: Service, name: far}]
            """;
        bed.apply(grant.formatted("HTTPRoute"));
        bed.expectConditions("tlsroutes", "far", "Accepted=True/Accepted", "ResolvedRefs=False/RefNotPermitted");

        bed.apply(grant.formatted("TLSRoute"));
        bed.http().expectBackend(get(PORT, "far.pass.example", "/").in("h1"), "secure");
    }

    /** Who greets a client that asks for this name in TLS. */
    private static @Nullable String greeted(String name) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), PORT)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(name)));
            socket.setSSLParameters(parameters);
            return ByteCalls.greeted(socket, ByteCalls.SHORT_MILLIS);
        }
    }
}
