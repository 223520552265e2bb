package io.parley.control.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.route.v3.Route;
import io.parley.control.testing.Worlds;
import io.parley.resource.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Routes that are stored with values which are no part of HTTP, or cost too much: releases before took them. */
class UnfitRulesTest {
    /** What is written, for what nobody could write today. */
    private static final String FINE = "fine";

    private static Stage stage(String rule, String value) {
        Stage stage = new Stage(Stage.BASE);
        String rules = """
            rules:
              - matches: [{path: {value: /a}}]
                backendRefs: [{name: one, port: 8080}]
                %s
              - matches: [{path: {value: /b}}]
                backendRefs: [{name: one, port: 8080}]
            """.formatted(rule);
        return stage.hold(Worlds.resources(Stage.route("HTTPRoute", "r", rules)).stream()
                .map(route -> route.withSpec(new Document(route.spec().json().replace(FINE, value))))
                .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sessionPersistence: {sessionName: fine} | sessionPersistence.sessionName",
                "sessionPersistence: {type: Header, sessionName: fine} | sessionPersistence.sessionName",
                "filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplaceFullPath, replaceFullPath: fine}}}] |"
                        + " filters[0].urlRewrite.path.replaceFullPath",
                "filters: [{type: CORS, cors: {exposeHeaders: [fine]}}] | filters[0].cors.exposeHeaders[0]",
                "filters: [{type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: a, value: fine}]}}] |"
                        + " filters[0].responseHeaderModifier.set[0].value"
            })
    void aRuleThatWouldEndALineOfAHeadIsLeftOutAndNothingElse(String rule, String path) {
        Stage stage = stage(rule, "a\\r\\nX-Evil: y")
                .apply(Stage.route(
                        "HTTPRoute",
                        "other",
                        "hostnames: [other.example]\nrules: [{backendRefs: [{name: one, port: 8080}]}]"));

        assertThat(stage.condition("HTTPRoute", "infra/r", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.condition("HTTPRoute", "infra/r", "PartiallyInvalid")).isEqualTo("True UnsupportedValue");
        assertThat(stage.message("HTTPRoute", "infra/r", "PartiallyInvalid"))
                .startsWith("Dropped Rule 0: rules[0]." + path + ": a\\r\\nX-Evil: y (expected: ");
        assertThat(stage.routesOf("*"))
                .satisfiesExactly(
                        first -> assertThat(first.getDirectResponse().getStatus())
                                .isEqualTo(500),
                        second -> assertThat(second.hasRoute()).isTrue());
        assertThat(stage.routesOf("other.example")).singleElement().matches(Route::hasRoute);
    }

    @Test
    void anExpressionThatWouldGrowTakesNoMoreThanItsRule() {
        Stage stage = stage("", "");
        stage = stage.hold(Worlds.resources(Stage.route("HTTPRoute", "r", """
            rules:
              - matches: [{path: {type: RegularExpression, value: /fine}}]
                backendRefs: [{name: one, port: 8080}]
              - matches: [{path: {value: /b}}]
                backendRefs: [{name: one, port: 8080}]
            """)).stream()
                .map(route ->
                        route.withSpec(new Document(route.spec().json().replace(FINE, "((a{1000,}){1000,}){1000,}"))))
                .toList());

        assertThat(stage.message("HTTPRoute", "infra/r", "PartiallyInvalid"))
                .startsWith("Dropped Rule 0: rules[0].matches[0].path.value: ");
        assertThat(stage.onlyRoute().hasRoute()).isTrue();
    }
}
