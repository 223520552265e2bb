package io.parley.control.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.route.v3.Route;
import io.parley.control.testing.Worlds;
import io.parley.resource.Document;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Routes that are stored with header modifiers which touch what frames a message: releases before took them. */
class FramingFieldsTest {
    private static final String BACKEND = "backendRefs: [{name: one, port: 8080}]";

    /** What is written, for what nobody could write today. */
    private static final String FINE = "x-fine";

    private static Stage stage(String kind, String rules, String name) {
        Stage stage = new Stage(Stage.BASE);
        return stage.hold(Worlds.resources(Stage.route(kind, "r", rules)).stream()
                .map(route -> route.withSpec(new Document(route.spec().json().replace(FINE, name))))
                .toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection",
                "content-length",
                "keep-alive",
                "proxy-connection",
                "TE",
                "transfer-encoding",
                "upgrade"
            })
    void aRouteWithoutAnyOtherRuleIsNotAccepted(String name) {
        Stage stage = stage("HTTPRoute", """
            rules:
              - filters: [{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: x-fine, value: '0'}]}}]
                backendRefs: [{name: one, port: 8080}]
            """, name);

        assertThat(stage.condition("HTTPRoute", "infra/r", "Accepted")).isEqualTo("False UnsupportedValue");
        assertThat(stage.message("HTTPRoute", "infra/r", "Accepted"))
                .isEqualTo("Dropped Rule 0: rules[0].filters[0].requestHeaderModifier.set[0].name: " + name
                        + " (expected: none of connection, content-length, keep-alive, proxy-connection, te,"
                        + " transfer-encoding, upgrade)");
        assertThat(stage.onlyRoute().getDirectResponse().getStatus()).isEqualTo(500);
    }

    @Test
    void otherRulesAreServed() {
        Stage stage = stage("HTTPRoute", """
            rules:
              - matches: [{path: {value: /a}}]
                filters:
                  - {type: ResponseHeaderModifier, responseHeaderModifier: {remove: [x-other, x-fine], add: [{name: x-more, value: a}]}}
                backendRefs: [{name: one, port: 8080}]
              - matches: [{path: {value: /b}}]
                backendRefs:
                  - name: one
                    port: 8080
                    filters: [{type: RequestHeaderModifier, requestHeaderModifier: {remove: [x-fine]}}]
              - matches: [{path: {value: /c}}]
                backendRefs: [{name: one, port: 8080}]
            """, "upgrade");

        assertThat(stage.condition("HTTPRoute", "infra/r", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.condition("HTTPRoute", "infra/r", "PartiallyInvalid")).isEqualTo("True UnsupportedValue");
        assertThat(stage.message("HTTPRoute", "infra/r", "PartiallyInvalid"))
                .startsWith("Dropped Rule 0: rules[0].filters[0].responseHeaderModifier.remove[1]: upgrade (expected: ")
                .contains("; Dropped Rule 1: rules[1].backendRefs[0].filters[0].requestHeaderModifier.remove[0]:"
                        + " upgrade");
        List<Route> routes = stage.routesOf("*");
        assertThat(routes.subList(0, 2))
                .allMatch(route -> route.getDirectResponse().getStatus() == 500);
        assertThat(routes.get(2).hasRoute()).isTrue();
    }

    @Test
    void soAreOtherRoutes() {
        Stage stage = stage("GRPCRoute", """
            hostnames: [calls.example]
            rules:
              - filters: [{type: RequestHeaderModifier, requestHeaderModifier: {add: [{name: x-fine, value: trailers}]}}]
                backendRefs: [{name: one, port: 8080}]
            """, "te")
                .apply(Stage.route("HTTPRoute", "other", "hostnames: [other.example]\nrules: [{" + BACKEND + "}]"));

        assertThat(stage.condition("GRPCRoute", "infra/r", "Accepted")).isEqualTo("False UnsupportedValue");
        assertThat(stage.message("GRPCRoute", "infra/r", "Accepted"))
                .contains("rules[0].filters[0].requestHeaderModifier.add[0].name: te (expected: ");
        assertThat(stage.condition("HTTPRoute", "infra/other", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.routesOf("other.example")).singleElement().matches(Route::hasRoute);
    }

    @Test
    void aRouteThatIsMendedIsServed() {
        String rules = """
            rules:
              - filters: [{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: x-fine, value: '0'}]}}]
                backendRefs: [{name: one, port: 8080}]
            """;
        Stage stage = stage("HTTPRoute", rules, "content-length").apply(Stage.route("HTTPRoute", "r", rules));

        assertThat(stage.condition("HTTPRoute", "infra/r", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.onlyRoute().hasRoute()).isTrue();
    }
}
