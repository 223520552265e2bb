package io.parley.control.gateway;

import static io.parley.control.gateway.Stage.BASE;
import static io.parley.control.gateway.Stage.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.Pem;
import io.parley.xds.type.ResourceType;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners and backends with TLS, named after the conformance tests that ask for them. */
class GatewayTlsTest {
    private static final Credentials SERVER = server();
    private static final String TO_ONE = "rules: [{backendRefs: [{name: one, port: 8080}]}]";

    private static Credentials server() {
        return CertificateAuthority.create("test", Duration.ofDays(1), Clock.systemUTC(), new SecureRandom())
                .issueServer(List.of("example.org"), List.of(), Duration.ofDays(1));
    }

    private static String gateway(String listeners) {
        return """
            ---
            apiVersion: gateway.networking.k8s.io/v1
            kind: Gateway
            metadata: {name: edge, namespace: infra}
            spec:
              gatewayClassName: parley
              listeners:
            %s\
            """.formatted(listeners.indent(4));
    }

    private static String secret(String namespace, String name) {
        return """
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: %s, namespace: %s}
            type: kubernetes.io/tls
            stringData:
              tls.crt: |
            %s
              tls.key: |
            %s\
            """.formatted(
                        name,
                        namespace,
                        Pem.encode(SERVER.chain()).indent(4),
                        Pem.encode(SERVER.key()).indent(4));
    }

    private static String https(String ref) {
        return gateway("- {name: https, port: 443, protocol: HTTPS, tls: {certificateRefs: [" + ref + "]}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{name: missing}", "{kind: Bucket, name: tls}", "{name: malformed}"})
    void gatewayInvalidTlsConfiguration(String ref) {
        Stage stage = new Stage(BASE, secret("infra", "tls"), """
            apiVersion: v1
            kind: Secret
            metadata: {name: malformed, namespace: infra}
            stringData: {tls.crt: Hello, tls.key: World}
            """, https(ref));

        assertThat(stage.listener("infra/edge", "https", "ResolvedRefs")).isEqualTo("False InvalidCertificateRef");
        assertThat(stage.listener("infra/edge", "https", "Programmed")).isEqualTo("False Invalid");
    }

    @Test
    void aCertificateWithTheKeyOfAnotherIsNoneThatCouldBeShown() {
        String mixed = secret("infra", "tls")
                .replace(
                        Pem.encode(SERVER.key()).indent(4),
                        Pem.encode(server().key()).indent(4));
        Stage stage = new Stage(BASE, mixed, https("{name: tls}"));
        assertThat(stage.listener("infra/edge", "https", "ResolvedRefs")).isEqualTo("False InvalidCertificateRef");

        stage.apply(secret("infra", "tls"));
        assertThat(stage.listener("infra/edge", "https", "ResolvedRefs")).isEqualTo("True ResolvedRefs");
    }

    @Test
    void gatewaySecretReferenceGrants() {
        Stage stage = new Stage(BASE, secret("other", "tls"), https("{name: tls, namespace: other}"));
        assertThat(stage.listener("infra/edge", "https", "ResolvedRefs")).isEqualTo("False RefNotPermitted");

        String grant = """
            apiVersion: gateway.networking.k8s.io/v1beta1
            kind: ReferenceGrant
            metadata: {name: g, namespace: other}
            spec:
              from: [{group: gateway.networking.k8s.io, kind: Gateway, namespace: infra}]
              to: [{group: "", kind: Secret, name: %s}]
            """;
        stage.apply(grant.formatted("another"));
        assertThat(stage.listener("infra/edge", "https", "ResolvedRefs")).isEqualTo("False RefNotPermitted");

        stage.apply(grant.formatted("tls"));
        assertThat(stage.listener("infra/edge", "https", "ResolvedRefs")).isEqualTo("True ResolvedRefs");
        assertThat(stage.names(ResourceType.SECRET)).containsExactly("other/tls");

        stage.delete("gateway.networking.k8s.io/ReferenceGrant", "other", "g");
        assertThat(stage.listener("infra/edge", "https", "Programmed")).isEqualTo("False Invalid");
        assertThat(stage.names(ResourceType.SECRET)).isEmpty();
    }

    @Test
    void tlsRouteSimpleSameNamespace_andMixedWithHttps() {
        Stage stage = new Stage(
                BASE,
                secret("infra", "tls"),
                gateway("""
                    - {name: pass, port: 443, protocol: TLS, tls: {mode: Passthrough}}
                    - {name: end, port: 443, protocol: HTTPS, hostname: web.example, tls: {certificateRefs: [{name: tls}]}}
                    """),
                route("TLSRoute", "r", "hostnames: [a.example]\n" + TO_ONE));

        assertThat(stage.condition("TLSRoute", "infra/r", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.listener("gateway:infra/edge:443").getFilterChainsList())
                .satisfiesExactly(
                        passed -> {
                            assertThat(passed.getFilterChainMatch().getServerNamesList())
                                    .containsExactly("a.example");
                            assertThat(passed.hasTransportSocket()).isFalse();
                        },
                        ended -> {
                            assertThat(ended.getFilterChainMatch().getServerNamesList())
                                    .containsExactly("web.example");
                            assertThat(ended.hasTransportSocket()).isTrue();
                        });
    }

    @Test
    void aNameThatTwoListenersOfAPortCouldTakeIsTheNarrowersOnly() {
        Stage stage = new Stage(
                BASE,
                secret("infra", "tls"),
                gateway("""
                    - {name: wide, port: 443, protocol: TLS, hostname: "*.example", tls: {mode: Passthrough}}
                    - {name: narrow, port: 443, protocol: TLS, hostname: "*.b.example", tls: {mode: Passthrough}}
                    - {name: end, port: 443, protocol: HTTPS, hostname: web.example, tls: {certificateRefs: [{name: tls}]}}
                    """),
                route("TLSRoute", "r", "hostnames: [a.example, web.example, x.b.example]\n" + TO_ONE));

        List<FilterChain> chains = stage.listener("gateway:infra/edge:443").getFilterChainsList();
        assertThat(chains)
                .flatExtracting(chain -> chain.getFilterChainMatch().getServerNamesList())
                .as("twice would be refused by the proxy")
                .doesNotHaveDuplicates()
                .contains("a.example", "web.example", "x.b.example");
        assertThat(chains)
                .filteredOn(chain ->
                        chain.getFilterChainMatch().getServerNamesList().contains("web.example"))
                .singleElement()
                .satisfies(chain -> assertThat(chain.hasTransportSocket()).isTrue());
    }

    @Test
    void whatANarrowerListenerHasNoRouteForDoesNotReachAWiderOne() {
        Stage stage = new Stage(
                BASE,
                secret("infra", "tls"),
                gateway("""
                    - {name: all, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: tls}]}}
                    - {name: pass, port: 443, protocol: TLS, hostname: "*.b.example", tls: {mode: Passthrough}}
                    """),
                route("TLSRoute", "r", "hostnames: [x.b.example]\n" + TO_ONE));

        assertThat(stage.listener("gateway:infra/edge:443").getFilterChainsList())
                .flatExtracting(chain -> chain.getFilterChainMatch().getServerNamesList())
                .contains("*.b.example", "x.b.example");
    }

    @Test
    void httpRouteHttpsListenerDetectMisdirectedRequests() {
        Stage stage = new Stage(BASE, secret("infra", "tls"), gateway("""
            - {name: one, port: 443, protocol: HTTPS, hostname: example.org, tls: {certificateRefs: [{name: tls}]}}
            - {name: two, port: 443, protocol: HTTPS, hostname: "*.wild.org", tls: {certificateRefs: [{name: tls}]}}
            """), route("HTTPRoute", "r", TO_ONE));

        assertThat(stage.routesOf("gateway:infra/edge:443/one", "example.org")
                        .getFirst()
                        .hasRoute())
                .isTrue();
        assertThat(stage.routesOf("gateway:infra/edge:443/one", "*.wild.org")
                        .getFirst()
                        .getDirectResponse()
                        .getStatus())
                .isEqualTo(421);
        assertThat(stage.routesOf("gateway:infra/edge:443/one", "*")).isEmpty();
    }

    @Test
    void gatewayInvalidFrontendClientCertificateValidation_andInsecureFallback() {
        String listeners = "- {name: https, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: tls}]}}";
        String validation = """
              tls:
                frontend:
                  default: {validation: {mode: %s, caCertificateRefs: [{group: "", kind: %s, name: ca, namespace: %s}]}}
            """;
        String good = gateway(listeners) + validation.formatted("AllowValidOnly", "ConfigMap", "infra");
        Stage stage = new Stage(BASE, secret("infra", "tls"), authorities("infra"), authorities("other"), good);
        assertThat(stage.listener("infra/edge", "https", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.condition("Gateway", "infra/edge", "InsecureFrontendValidationMode"))
                .isEmpty();

        stage.apply(gateway(listeners) + validation.formatted("AllowInsecureFallback", "ConfigMap", "infra"));
        assertThat(stage.condition("Gateway", "infra/edge", "InsecureFrontendValidationMode"))
                .isEqualTo("True ConfigurationChanged");

        String[][] bad = {
            {"ConfigMap", "other", "RefNotPermitted"},
            {"Bag", "infra", "InvalidCACertificateKind"},
            {"Secret", "infra", "InvalidCACertificateRef"}
        };
        for (String[] each : bad) {
            stage.apply(gateway(listeners) + validation.formatted("AllowValidOnly", each[0], each[1]));
            assertThat(stage.listener("infra/edge", "https", "ResolvedRefs")).isEqualTo("False " + each[2]);
            assertThat(stage.listener("infra/edge", "https", "Accepted")).isEqualTo("False NoValidCACertificate");
            assertThat(stage.names(ResourceType.LISTENER)).isEmpty();
        }
    }

    private static String authorities(String namespace) {
        return """
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: ca, namespace: %s}
            data:
              ca.crt: |
            %s\
            """.formatted(namespace, Pem.encode(SERVER.chain()).indent(4));
    }

    @Test
    void backendTlsPolicyConflictResolution_andInvalidReferences() {
        String policy = """
            ---
            apiVersion: gateway.networking.k8s.io/v1
            kind: BackendTLSPolicy
            metadata: {name: %s, namespace: infra}
            spec:
              targetRefs: [{group: "", kind: Service, name: one}]
              validation: {hostname: one.example, %s}
            """;
        Stage stage = new Stage(
                BASE,
                route("HTTPRoute", "r", TO_ONE),
                policy.formatted("first", "wellKnownCACertificates: System"),
                policy.formatted("second", "wellKnownCACertificates: System"));
        assertThat(stage.condition("BackendTLSPolicy", "infra/first", "Accepted"))
                .isEqualTo("True Accepted");
        assertThat(stage.condition("BackendTLSPolicy", "infra/second", "Accepted"))
                .isEqualTo("False Conflicted");
        assertThat(stage.onlyRoute().getRoute().getCluster()).isEqualTo("infra/one:8080|alpn");

        stage.apply(policy.formatted("first", "caCertificateRefs: [{group: '', kind: ConfigMap, name: no}]"));
        assertThat(stage.condition("BackendTLSPolicy", "infra/first", "ResolvedRefs"))
                .isEqualTo("False InvalidCACertificateRef");
        assertThat(stage.condition("BackendTLSPolicy", "infra/first", "Accepted"))
                .isEqualTo("False NoValidCACertificate");
        assertThat(stage.onlyRoute().getRoute().getCluster()).startsWith("broken|");

        stage.apply(policy.formatted("first", "caCertificateRefs: [{group: x.example, kind: Bag, name: no}]"));
        assertThat(stage.condition("BackendTLSPolicy", "infra/first", "ResolvedRefs"))
                .isEqualTo("False InvalidKind");
    }
}
