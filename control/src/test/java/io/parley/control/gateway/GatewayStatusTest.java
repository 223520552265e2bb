package io.parley.control.gateway;

import static io.parley.control.gateway.Stage.BASE;
import static io.parley.control.gateway.Stage.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.control.gateway.model.Name;
import io.parley.xds.type.ResourceType;
import org.junit.jupiter.api.Test;

/** Statuses of classes, Gateways, listeners and routes, named after the conformance tests that ask for them. */
class GatewayStatusTest {
    private static final String TO_ONE = "rules: [{backendRefs: [{name: one, port: 8080}]}]";

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

    private static String https(String ref) {
        return gateway("- {name: https, port: 443, protocol: HTTPS, tls: {certificateRefs: [" + ref + "]}}");
    }

    @Test
    void gatewayClassObservedGenerationBump() {
        Stage stage = new Stage(BASE);
        stage.apply(BASE.replace("gateway-controller}", "gateway-controller, description: other}"));

        assertThat(stage.condition("GatewayClass", "parley", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.status("GatewayClass", "parley")
                        .at("/conditions/0/observedGeneration")
                        .asInt())
                .isEqualTo(2);
        assertThat(stage.status("GatewayClass", "parley").path("supportedFeatures"))
                .extracting(each -> each.path("name").asText())
                .isSorted()
                .contains("HTTPRouteBackendProtocolH2C", "HTTPRouteBackendProtocolWebSocket");
    }

    @Test
    void classesOfOthersAreLeftAlone() {
        Stage stage = new Stage(BASE.replace("parley.io/gateway-controller", "other.example/controller"));

        assertThat(stage.statuses).isEmpty();
        assertThat(stage.snapshots).isEmpty();
    }

    @Test
    void gatewayObservedGenerationBump_andModifyListeners() {
        Stage stage = new Stage(BASE);
        assertThat(stage.condition("Gateway", "infra/edge", "Programmed")).isEqualTo("True Programmed");

        stage.apply(gateway("- {name: web, port: 80, protocol: HTTP}\n- {name: more, port: 8080, protocol: HTTP}"));

        assertThat(stage.status("Gateway", "infra/edge").path("listeners")).hasSize(2);
        assertThat(stage.status("Gateway", "infra/edge")
                        .at("/conditions/0/observedGeneration")
                        .asInt())
                .isEqualTo(2);
        assertThat(stage.names(ResourceType.LISTENER))
                .containsExactly("gateway:infra/edge:80", "gateway:infra/edge:8080");
    }

    @Test
    void aGatewayWithoutAProxyIsPending() {
        Stage stage = new Stage();
        stage.joined.clear();
        stage.apply(BASE);
        assertThat(stage.condition("Gateway", "infra/edge", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.condition("Gateway", "infra/edge", "Programmed")).isEqualTo("False Pending");

        stage.joined.add(new Name("infra", "edge"));
        stage.tell(new Name("infra", "edge"));
        assertThat(stage.condition("Gateway", "infra/edge", "Programmed")).isEqualTo("True Programmed");
    }

    @Test
    void gatewayListenerUnsupportedProtocol() {
        Stage stage = new Stage(
                BASE,
                gateway("- {name: bad, port: 1234, protocol: company.io/SomeProtocol}\n"
                        + "- {name: web, port: 80, protocol: HTTP}"));

        assertThat(stage.listener("infra/edge", "bad", "Accepted")).isEqualTo("False UnsupportedProtocol");
        assertThat(stage.entry("infra/edge", "bad").path("supportedKinds")).isEmpty();
        assertThat(stage.listener("infra/edge", "web", "Programmed")).isEqualTo("True Programmed");
        assertThat(stage.condition("Gateway", "infra/edge", "Accepted")).isEqualTo("True ListenersNotValid");
    }

    @Test
    void gatewayInvalidParametersRef() {
        String infrastructure = "\n  infrastructure: {parametersRef: {group: \"\", kind: ConfigMap, name: place}}\n";
        String gateway = gateway("- {name: web, port: 80, protocol: HTTP}").stripTrailing() + infrastructure;
        Stage stage = new Stage(BASE, gateway);
        assertThat(stage.condition("Gateway", "infra/edge", "Accepted")).isEqualTo("False InvalidParameters");
        assertThat(stage.names(ResourceType.LISTENER)).isEmpty();

        stage.apply("""
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: place, namespace: infra}
            data: {address: 127.0.0.9, portOffset: "8000"}
            """);
        assertThat(stage.condition("Gateway", "infra/edge", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.status("Gateway", "infra/edge")
                        .at("/addresses/0/value")
                        .asText())
                .isEqualTo("127.0.0.9");
        assertThat(stage.listener("gateway:infra/edge:80")
                        .getAddress()
                        .getSocketAddress()
                        .getPortValue())
                .isEqualTo(8080);
    }

    @Test
    void gatewayStaticAddresses() {
        String gateway = gateway("- {name: web, port: 80, protocol: HTTP}").stripTrailing();
        Stage stage = new Stage(BASE, gateway + "\n  addresses: [{type: Hostname, value: a.example}]\n");
        assertThat(stage.condition("Gateway", "infra/edge", "Accepted")).isEqualTo("False UnsupportedAddress");

        stage.apply(gateway + "\n  addresses: [{type: Hostname, value: a.example}, {value: 127.0.0.2}]\n");
        assertThat(stage.condition("Gateway", "infra/edge", "Accepted"))
                .as("one that is supported beside it changes nothing")
                .isEqualTo("False UnsupportedAddress");

        stage.apply(gateway + "\n  addresses: [{value: 127.0.0.2}, {value: 127.0.0.3}]\n");
        assertThat(stage.names(ResourceType.LISTENER))
                .containsExactly("gateway:infra/edge:80", "gateway:infra/edge:80@127.0.0.3");
        assertThat(stage.status("Gateway", "infra/edge").path("addresses")).hasSize(2);
    }

    @Test
    void gatewayInvalidRouteKind() {
        Stage stage = new Stage(BASE, gateway("""
            - {name: bad, port: 80, protocol: HTTP, allowedRoutes: {kinds: [{kind: InvalidRoute}]}}
            - {name: some, port: 81, protocol: HTTP, allowedRoutes: {kinds: [{kind: InvalidRoute}, {kind: HTTPRoute}]}}
            """));

        assertThat(stage.listener("infra/edge", "bad", "ResolvedRefs")).isEqualTo("False InvalidRouteKinds");
        assertThat(stage.entry("infra/edge", "bad").path("supportedKinds")).isEmpty();
        assertThat(stage.listener("infra/edge", "some", "ResolvedRefs")).isEqualTo("False InvalidRouteKinds");
        assertThat(stage.entry("infra/edge", "some").path("supportedKinds")).hasSize(1);
    }

    @Test
    void duplicateListenersConflict() {
        Stage stage = new Stage(BASE, gateway("""
            - {name: a, port: 80, protocol: HTTP}
            - {name: b, port: 80, protocol: HTTP}
            - {name: c, port: 81, protocol: HTTP}
            - {name: d, port: 81, protocol: TCP}
            - {name: e, port: 82, protocol: HTTP}
            """));

        assertThat(stage.listener("infra/edge", "a", "Conflicted")).isEqualTo("True HostnameConflict");
        assertThat(stage.listener("infra/edge", "b", "Conflicted")).isEqualTo("True HostnameConflict");
        assertThat(stage.listener("infra/edge", "c", "Conflicted")).isEqualTo("True ProtocolConflict");
        assertThat(stage.listener("infra/edge", "e", "Conflicted")).isEqualTo("False NoConflicts");
        assertThat(stage.names(ResourceType.LISTENER)).containsExactly("gateway:infra/edge:82");
    }

    @Test
    void gatewayWithAttachedRoutes() {
        Stage stage = new Stage(BASE, https("{name: missing}").replace("443", "80"));
        stage.apply(route("HTTPRoute", "a", TO_ONE));
        assertThat(stage.entry("infra/edge", "https").path("attachedRoutes").asInt())
                .as("a listener that is not served has its routes all the same")
                .isEqualTo(1);

        stage.apply(gateway("- {name: web, port: 80, protocol: HTTP}")).apply(route("HTTPRoute", "b", TO_ONE));
        assertThat(stage.entry("infra/edge", "web").path("attachedRoutes").asInt())
                .isEqualTo(2);

        stage.delete("gateway.networking.k8s.io/HTTPRoute", "infra", "b");
        assertThat(stage.entry("infra/edge", "web").path("attachedRoutes").asInt())
                .isEqualTo(1);
    }

    @Test
    void httpRouteInvalidParentRefNotMatchingSectionName() {
        Stage stage = new Stage(
                BASE, route("HTTPRoute", "r", TO_ONE).replace("{name: edge}", "{name: edge, sectionName: other}"));

        assertThat(stage.condition("HTTPRoute", "infra/r", "Accepted")).isEqualTo("False NoMatchingParent");
        assertThat(stage.routesOf("*")).isEmpty();
    }

    @Test
    void httpRouteInvalidParentRefNotMatchingListenerPort() {
        Stage stage =
                new Stage(BASE, route("HTTPRoute", "r", TO_ONE).replace("{name: edge}", "{name: edge, port: 81}"));

        assertThat(stage.condition("HTTPRoute", "infra/r", "Accepted")).isEqualTo("False NoMatchingParent");
    }

    @Test
    void httpRouteInvalidCrossNamespaceParentRef_untilTheListenerAllowsIt() {
        String elsewhere = route("HTTPRoute", "r", "rules: [{}]")
                .replace("namespace: infra", "namespace: web")
                .replace("{name: edge}", "{name: edge, namespace: infra}");
        Stage stage = new Stage(BASE, elsewhere);
        assertThat(stage.condition("HTTPRoute", "web/r", "Accepted")).isEqualTo("False NotAllowedByListeners");

        String selecting = """
            - name: web
              port: 80
              protocol: HTTP
              allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {team: a}}}}
            """;
        stage.apply(gateway(selecting));
        assertThat(stage.condition("HTTPRoute", "web/r", "Accepted")).isEqualTo("False NotAllowedByListeners");
        stage.apply("{apiVersion: v1, kind: Namespace, metadata: {name: web, labels: {team: a}}}");
        assertThat(stage.condition("HTTPRoute", "web/r", "Accepted")).isEqualTo("True Accepted");

        stage.apply(gateway("- {name: web, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}"));
        assertThat(stage.condition("HTTPRoute", "web/r", "Accepted")).isEqualTo("True Accepted");
        stage.apply(gateway("- {name: web, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: None}}}"));
        assertThat(stage.condition("HTTPRoute", "web/r", "Accepted")).isEqualTo("False NotAllowedByListeners");
    }

    @Test
    void httpRouteReferenceGrant() {
        Stage stage = new Stage(
                BASE,
                Stage.service("web", "far", "{port: 80}"),
                route("HTTPRoute", "r", "rules: [{backendRefs: [{name: far, namespace: web, port: 80}]}]"));
        assertThat(stage.condition("HTTPRoute", "infra/r", "ResolvedRefs")).isEqualTo("False RefNotPermitted");

        stage.apply("""
            apiVersion: gateway.networking.k8s.io/v1beta1
            kind: ReferenceGrant
            metadata: {name: g, namespace: web}
            spec:
              from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: infra}]
              to: [{group: "", kind: Service}]
            """);
        assertThat(stage.condition("HTTPRoute", "infra/r", "ResolvedRefs")).isEqualTo("True ResolvedRefs");
        assertThat(stage.onlyRoute().getRoute().getCluster()).isEqualTo("web/far:80|http1");

        stage.delete("gateway.networking.k8s.io/ReferenceGrant", "web", "g");
        assertThat(stage.condition("HTTPRoute", "infra/r", "ResolvedRefs")).isEqualTo("False RefNotPermitted");
    }

    @Test
    void httpRouteInvalidBackendRefs() {
        assertThat(new Stage(BASE, route("HTTPRoute", "r", "rules: [{backendRefs: [{kind: Nope, name: x, port: 80}]}]"))
                        .condition("HTTPRoute", "infra/r", "ResolvedRefs"))
                .isEqualTo("False InvalidKind");
        assertThat(new Stage(BASE, route("HTTPRoute", "r", "rules: [{backendRefs: [{name: x, port: 80}]}]"))
                        .condition("HTTPRoute", "infra/r", "ResolvedRefs"))
                .isEqualTo("False BackendNotFound");
    }

    @Test
    void httpRouteDisallowedKind_andTlsRoutesNeedATlsListener() {
        Stage stage = new Stage(BASE, route("TLSRoute", "r", "hostnames: [a.example]\n" + TO_ONE));

        assertThat(stage.condition("TLSRoute", "infra/r", "Accepted")).isEqualTo("False NotAllowedByListeners");
    }

    @Test
    void entriesOfOtherControllersStay() {
        var route = io.parley.control.testing.Worlds.resources(route("HTTPRoute", "r", TO_ONE))
                .getFirst();
        Stage stage = new Stage(BASE);
        var other = com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.objectNode();
        other.putArray("parents").addObject().put("controllerName", "other.example/c");
        stage.statuses.put(route.key(), other);

        stage.apply(route("HTTPRoute", "r", TO_ONE));

        assertThat(stage.status("HTTPRoute", "infra/r").path("parents"))
                .extracting(each -> each.path("controllerName").asText())
                .containsExactly("other.example/c", "parley.io/gateway-controller");
    }
}
