package io.parley.cli.gateway;

import static io.parley.cli.gateway.Request.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.cli.FreePorts;
import io.parley.cli.TestControlPlane;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The certificate that a Gateway shows to its backends (feature GatewayBackendClientCertificate), to a backend that demands one. */
@ExtendWith(SharedControlPlane.class)
class BackendClientCertificateTest {
    private static final String NAMESPACE = "shown";
    private static final String GATEWAY = "/status/conditions";
    private static final int PORT = FreePorts.next();
    private static final Certificates AUTHORITY = new Certificates();
    private static final EchoBackend BACKEND = EchoBackend.ofKnownCallers("strict", AUTHORITY.issue("strict.example"));
    private static final Request REQUEST = get(PORT, "strict.example", "/");

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    @BeforeAll
    static void start(TestControlPlane controlPlane) {
        bed = new GatewayBed(controlPlane, NAMESPACE);
        bed.apply(AUTHORITY.configMap(NAMESPACE, "authority"));
        bed.apply(Certificates.secret(NAMESPACE, "client", AUTHORITY.issueClient()));
        bed.endpoint("strict", BACKEND.port(), "443");
        bed.apply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: BackendTLSPolicy
            metadata: {name: strict, namespace: shown}
            spec:
              targetRefs: [{group: "", kind: Service, name: strict}]
              validation: {hostname: strict.example, caCertificateRefs: [{group: "", kind: ConfigMap, name: authority}]}
            """);
        gateway("tls: {backend: {clientCertificateRef: {name: client}}}");
        bed.route("HTTPRoute", "strict", "edge", "strict", 443);
    }

    @AfterAll
    static void stop() {
        bed.close();
        BACKEND.close();
    }

    private static void gateway(String tls) {
        bed.gateway("edge", "- {name: http, port: %d, protocol: HTTP}".formatted(PORT), tls);
    }

    @Test
    void gatewayTlsBackendClientCertificate() {
        gateway("tls: {backend: {clientCertificateRef: {name: client}}}");

        bed.http()
                .expect(
                        REQUEST,
                        answer -> assertThat(
                                        HttpCalls.echo(answer).path("caller").asText())
                                .isEqualTo("spiffe://test/client"));
        expectGateway("ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void gatewayInvalidTlsBackendConfiguration() {
        gateway("tls: {backend: {clientCertificateRef: {name: nothing}}}");
        expectGateway("ResolvedRefs=False/InvalidClientCertificateRef");

        gateway("tls: {backend: {clientCertificateRef: {group: x.example, kind: Bag, name: client}}}");
        expectGateway("ResolvedRefs=False/InvalidClientCertificateRef");

        gateway("tls: {backend: {clientCertificateRef: {name: client, namespace: elsewhere}}}");
        expectGateway("ResolvedRefs=False/RefNotPermitted");
    }

    /** A backend that demands a certificate and is shown none is answered for, not waited for. */
    @Test
    void withoutACertificateTheBackendRefusesTheGateway() {
        gateway("");

        bed.http().expect(REQUEST, answer -> assertThat(answer.status().code()).isBetween(500, 599));
    }

    private static void expectGateway(String references) {
        Patience.until(
                references,
                () -> assertThat(bed.conditionsAt("gateways", "edge", GATEWAY)).contains(references));
    }
}
