package io.parley.control.gateway;

import static io.parley.control.gateway.Stage.BASE;
import static io.parley.control.gateway.Stage.route;
import static io.parley.control.gateway.Stage.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.route.v3.WeightedCluster.ClusterWeight;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Pem;
import io.parley.xds.type.ResourceType;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Cases of backend protocol selection in which status and configuration must agree. */
class BackendProtocolTest {
    private static final String TO_CHAT = "rules: [{backendRefs: [{name: chat, port: 80}]}]";
    private static final String CHAT = route("HTTPRoute", "chat", TO_CHAT);
    private static final String CA =
            Pem.encode(CertificateAuthority.create("test", Duration.ofDays(1), Clock.systemUTC(), new SecureRandom())
                    .certificate());
    private static final String POLICY = """
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: ca, namespace: infra}
        data:
          ca.crt: |
        %s
        ---
        apiVersion: gateway.networking.k8s.io/v1
        kind: BackendTLSPolicy
        metadata: {name: chat, namespace: infra}
        spec:
          targetRefs: [{group: "", kind: Service, name: chat}]
          validation:
            hostname: chat.example
            caCertificateRefs: [{group: "", kind: ConfigMap, name: ca}]
        """.formatted(CA.indent(4));

    private static String chat(String appProtocol) {
        return service("infra", "chat", "{port: 80, appProtocol: " + appProtocol + "}");
    }

    private static Stage stage(String appProtocol) {
        return new Stage(BASE, chat(appProtocol), CHAT);
    }

    @Test
    void case01_theClusterOfAnH2cPortSpeaksHttp2() {
        Stage stage = stage("kubernetes.io/h2c");

        assertThat(stage.onlyRoute().getRoute().getCluster()).isEqualTo("infra/chat:80|h2c");
        assertThat(stage.cluster("infra/chat:80|h2c").getTypedExtensionProtocolOptionsMap())
                .hasSize(1)
                .allSatisfy((_, options) -> assertThat(options.toString()).contains("HttpProtocolOptions"));
        assertThat(stage.endpoints("infra/chat:80|h2c")
                        .getEndpoints(0)
                        .getLbEndpoints(0)
                        .getEndpoint()
                        .getAddress()
                        .getSocketAddress()
                        .getPortValue())
                .isEqualTo(180);
    }

    @Test
    void case12_aSecureWebSocketWithoutAPolicyIsNotServedAndTheStatusSaysSo() {
        Stage stage = stage("kubernetes.io/wss");

        assertThat(stage.condition("HTTPRoute", "infra/chat", "ResolvedRefs")).isEqualTo("False UnsupportedProtocol");
        assertThat(stage.condition("HTTPRoute", "infra/chat", "Accepted")).isEqualTo("False UnsupportedProtocol");
        assertBroken(stage, 500);
    }

    @Test
    void case13_and_case14_aPolicyThatComesAndGoesDecidesWhetherItIsServed() {
        Stage stage = stage("kubernetes.io/wss").apply(POLICY);

        assertThat(stage.condition("HTTPRoute", "infra/chat", "ResolvedRefs")).isEqualTo("True ResolvedRefs");
        assertThat(stage.condition("HTTPRoute", "infra/chat", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.condition("BackendTLSPolicy", "infra/chat", "Accepted"))
                .isEqualTo("True Accepted");
        assertThat(stage.onlyRoute().getRoute().getCluster()).isEqualTo("infra/chat:80|https1");
        assertThat(stage.cluster("infra/chat:80|https1").hasTransportSocket()).isTrue();

        stage.delete("gateway.networking.k8s.io/BackendTLSPolicy", "infra", "chat");
        assertThat(stage.condition("HTTPRoute", "infra/chat", "ResolvedRefs")).isEqualTo("False UnsupportedProtocol");
        assertBroken(stage, 500);

        stage.apply(POLICY);
        assertThat(stage.condition("HTTPRoute", "infra/chat", "ResolvedRefs")).isEqualTo("True ResolvedRefs");
    }

    @Test
    void case15_whatIsReservedAndUnknownIsUnsupported() {
        assertThat(stage("kubernetes.io/foo").condition("HTTPRoute", "infra/chat", "ResolvedRefs"))
                .isEqualTo("False UnsupportedProtocol");
    }

    @Test
    void case16_aStrangersValueIsServedAsUsualAndRemarkedOn() {
        Stage stage = stage("example.com/foo");

        assertThat(stage.onlyRoute().getRoute().getCluster()).isEqualTo("infra/chat:80|http1");
        assertThat(stage.message("HTTPRoute", "infra/chat", "ResolvedRefs"))
                .contains("example.com/foo", "says nothing");
    }

    @Test
    void case18_aWebSocketPortBehindAGrpcRouteIsUnavailable() {
        Stage stage = new Stage(BASE, chat("kubernetes.io/ws"), route("GRPCRoute", "chat", TO_CHAT));

        assertThat(stage.condition("GRPCRoute", "infra/chat", "ResolvedRefs")).isEqualTo("False UnsupportedProtocol");
        assertBroken(stage, 503);
    }

    @Test
    void case20_tcpAndUdpOnOnePortAreTwoTargets() {
        String gateway = """
            ---
            apiVersion: gateway.networking.k8s.io/v1
            kind: Gateway
            metadata: {name: edge, namespace: infra}
            spec:
              gatewayClassName: parley
              listeners:
                - {name: web, port: 80, protocol: HTTP}
                - {name: dns, port: 53, protocol: UDP}
            """;
        String dns = service("infra", "dns", "{name: t, port: 53}", "{name: u, port: 53, protocol: UDP}");
        String to = "rules: [{backendRefs: [{name: dns, port: 53}]}]";
        Stage stage = new Stage(BASE, gateway, dns, route("HTTPRoute", "t", to), route("UDPRoute", "u", to));

        assertThat(stage.names(ResourceType.CLUSTER))
                .containsExactlyInAnyOrder("infra/dns:53|http1", "infra/dns:53|udp");
        assertThat(stage.listener("gateway:infra/edge:53/udp").getListenerFiltersCount())
                .isEqualTo(1);
    }

    @Test
    void case22_aDisagreementIsRemarkedOn() {
        String slice = """
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: mine, namespace: infra, labels: {kubernetes.io/service-name: chat}}
            endpoints: [{addresses: [10.0.0.2]}]
            ports: [{port: 1, appProtocol: kubernetes.io/ws}]
            """;
        Stage stage = stage("kubernetes.io/h2c").apply(slice);

        assertThat(stage.onlyRoute().getRoute().getCluster()).isEqualTo("infra/chat:80|h2c");
        assertThat(stage.message("HTTPRoute", "infra/chat", "ResolvedRefs")).contains("EndpointSlice/infra/mine");
    }

    @Test
    void case24_portsAreJoinedByNameWhateverTheirOrder() {
        String two = """
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: chat, namespace: infra}
            spec:
              clusterIP: None
              ports: [{name: a, port: 80}, {name: b, port: 81}]
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: chat-1, namespace: infra, labels: {kubernetes.io/service-name: chat}}
            endpoints: [{addresses: [10.0.0.2]}, {addresses: [10.0.0.3], conditions: {ready: false}}]
            ports: [{name: b, port: 1081}, {name: a, port: 1080}]
            """;
        var assignment = new Stage(BASE, two, CHAT).endpoints("infra/chat:80|http1");

        assertThat(assignment.getEndpoints(0).getLbEndpointsList())
                .singleElement()
                .satisfies(endpoint -> assertThat(endpoint.getEndpoint()
                                .getAddress()
                                .getSocketAddress()
                                .getPortValue())
                        .isEqualTo(1080));
    }

    @Test
    void case26_ofThreeBackendsTheInvalidOneKeepsItsShare() {
        String rules = """
            rules:
              - backendRefs:
                  - {name: chat, port: 80}
                  - {name: one, port: 8080}
                  - {name: missing, port: 80}
            """;
        Stage stage = new Stage(BASE, chat("kubernetes.io/h2c"), route("HTTPRoute", "chat", rules));

        assertThat(stage.onlyRoute().getRoute().getWeightedClusters().getClustersList())
                .extracting(ClusterWeight::getName)
                .containsExactly("infra/chat:80|h2c", "infra/one:8080|http1", "broken|HTTPRoute/infra/chat|0|2");
        assertThat(stage.condition("HTTPRoute", "infra/chat", "ResolvedRefs")).isEqualTo("False BackendNotFound");
        assertThat(stage.condition("HTTPRoute", "infra/chat", "Accepted")).isEqualTo("True Accepted");
    }

    @Test
    void case28_statusAndConfigurationFollowTheServiceAlthoughTheRouteDidNotChange() {
        Stage stage = stage("kubernetes.io/h2c");
        stage.apply(chat("kubernetes.io/foo"));
        assertThat(stage.condition("HTTPRoute", "infra/chat", "ResolvedRefs")).isEqualTo("False UnsupportedProtocol");
        assertBroken(stage, 500);

        stage.apply(chat("kubernetes.io/ws"));
        assertThat(stage.condition("HTTPRoute", "infra/chat", "ResolvedRefs")).isEqualTo("True ResolvedRefs");
        assertThat(stage.onlyRoute().getRoute().getCluster()).isEqualTo("infra/chat:80|ws");
        assertThat(stage.status("HTTPRoute", "infra/chat")
                        .at("/parents/0/conditions/0/observedGeneration")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void case29_aServiceThatGoesAndComesBackIsFollowed() {
        Stage stage = stage("kubernetes.io/h2c").delete("core/Service", "infra", "chat");
        assertThat(stage.condition("HTTPRoute", "infra/chat", "ResolvedRefs")).isEqualTo("False BackendNotFound");

        stage.apply(chat("http"));
        assertThat(stage.onlyRoute().getRoute().getCluster()).isEqualTo("infra/chat:80|http1");
    }

    @Test
    void case35_ofSeveralTroublesTheFirstOfTheOrderIsTheReason() {
        String rules = """
            rules:
              - backendRefs:
                  - {name: chat, port: 80}
                  - {name: missing, port: 80}
                  - {name: secret, namespace: other, port: 80}
            """;
        Stage stage = new Stage(BASE, chat("kubernetes.io/foo"), route("HTTPRoute", "chat", rules));
        assertThat(stage.condition("HTTPRoute", "infra/chat", "ResolvedRefs")).isEqualTo("False RefNotPermitted");

        stage.apply(route("HTTPRoute", "chat", rules + "      - {name: x, kind: Bucket}\n"));
        assertThat(stage.condition("HTTPRoute", "infra/chat", "ResolvedRefs")).isEqualTo("False InvalidKind");
    }

    @Test
    void case36_bothParentsAreTold() {
        Stage stage = new Stage(BASE, BASE.replace("name: edge", "name: inner"), chat("kubernetes.io/foo"))
                .apply(CHAT.replace("[{name: edge}]", "[{name: edge}, {name: inner}]"));

        assertThat(stage.status("HTTPRoute", "infra/chat").path("parents"))
                .hasSize(2)
                .allSatisfy(parent ->
                        assertThat(parent.toString()).contains("\"status\":\"False\"", "UnsupportedProtocol"));
    }

    @Test
    void case37_theMessageNamesEachBackendTheValueAndWhatIsAllowed() {
        String rules = """
            rules:
              - backendRefs: [{name: one, port: 8080}]
              - matches: [{path: {value: /chat}}]
                backendRefs: [{name: one, port: 8080}, {name: chat, port: 80}]
            """;
        Stage stage = new Stage(BASE, chat("kubernetes.io/foo"), route("HTTPRoute", "chat", rules));

        assertThat(stage.message("HTTPRoute", "infra/chat", "ResolvedRefs"))
                .isEqualTo("rules[1].backendRefs[1]: port 80 of Service/infra/chat has appProtocol kubernetes.io/foo,"
                        + " which an HTTPRoute cannot speak without a BackendTLSPolicy (expected: none, http, grpc,"
                        + " kubernetes.io/h2c, kubernetes.io/ws, or with a BackendTLSPolicy kubernetes.io/wss)");
        assertThat(stage.condition("HTTPRoute", "infra/chat", "Accepted")).isEqualTo("True Accepted");
    }

    @Test
    void case38_aRestartSaysTheSame() {
        Stage stage = stage("kubernetes.io/foo");
        var before = java.util.Map.copyOf(stage.statuses);
        var snapshot = stage.snapshot();

        stage.reload();

        assertThat(stage.statuses).isEqualTo(before);
        assertThat(stage.snapshot().changesSince(snapshot)).isEmpty();
    }

    @Test
    void case40_externalNamesAndUnknownPortsAreNotFound() {
        String external = """
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: chat, namespace: infra}
            spec: {type: ExternalName, externalName: example.com, ports: [{port: 80}]}
            """;
        assertThat(new Stage(BASE, external, CHAT).condition("HTTPRoute", "infra/chat", "ResolvedRefs"))
                .isEqualTo("False BackendNotFound");
        assertThat(new Stage(BASE, service("infra", "chat", "{port: 81}"), CHAT)
                        .condition("HTTPRoute", "infra/chat", "ResolvedRefs"))
                .isEqualTo("False BackendNotFound");
    }

    @Test
    void aListIsTriedInItsOrder() {
        String list = """
            ---
            apiVersion: parley.io/v1alpha1
            kind: BackendProtocol
            metadata: {name: chat, namespace: infra}
            spec:
              targetRef: {group: "", kind: Service, name: chat}
              ports: [{port: 80, http2: {encrypted: false}}, {port: 80, http1: {}}]
            """;
        Stage stage = stage("kubernetes.io/foo").apply(list);

        assertThat(stage.onlyRoute().getRoute().getCluster()).isEqualTo("infra/chat:80|h2c,http1");
        assertThat(stage.condition("HTTPRoute", "infra/chat", "ResolvedRefs")).isEqualTo("True ResolvedRefs");
    }

    private static void assertBroken(Stage stage, int status) {
        String cluster = stage.onlyRoute().getRoute().getCluster();
        assertThat(cluster).startsWith("broken|");
        assertThat(stage.cluster(cluster)
                        .getMetadata()
                        .getFilterMetadataOrThrow("io.parley")
                        .getFieldsOrThrow("direct_response")
                        .getNumberValue())
                .isEqualTo(status);
    }
}
