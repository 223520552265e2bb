package io.parley.control.gateway;

import static io.parley.control.gateway.Stage.BASE;
import static io.parley.control.gateway.Stage.route;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTPRoutes and GRPCRoutes that want the same host names at one listener: the API lets exactly one of the two in. */
class HostClaimsTest {
    private static final String TO_ONE = "rules: [{backendRefs: [{name: one, port: 8080}]}]";

    private static String named(String kind, String name, String hostname) {
        return route(kind, name, "hostnames: [\"" + hostname + "\"]\n" + TO_ONE);
    }

    private static int attached(Stage stage) {
        return stage.entry("infra/edge", "web").path("attachedRoutes").asInt();
    }

    @ParameterizedTest
    @CsvSource({
        "a.example, a.example, False HostnameConflict",
        "*.example, a.example, False HostnameConflict",
        "a.example, *.example, False HostnameConflict",
        "*.example, *.b.example, False HostnameConflict",
        "*.b.example, *.example, False HostnameConflict",
        "a.example, b.example, True Accepted",
        "*.a.example, a.example, True Accepted",
        "*.a.example, *.b.example, True Accepted",
        "ba.example, *.a.example, True Accepted"
    })
    void theYoungerOneIsRefusedIfTheirNamesMeet(String older, String younger, String accepted) {
        Stage stage = new Stage(BASE, named("HTTPRoute", "web", older), named("GRPCRoute", "calls", younger));

        assertThat(stage.condition("HTTPRoute", "infra/web", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.condition("GRPCRoute", "infra/calls", "Accepted")).isEqualTo(accepted);
        assertThat(attached(stage)).isEqualTo(accepted.startsWith("True") ? 2 : 1);
    }

    @Test
    void whoIsRefusedIsNotServedAndToldWhoHasTheName() {
        Stage stage = new Stage(BASE, route("GRPCRoute", "calls", TO_ONE), named("HTTPRoute", "web", "a.example"));

        assertThat(stage.message("HTTPRoute", "infra/web", "Accepted")).contains("GRPCRoute/infra/calls");
        assertThat(stage.routesOf("a.example")).isEmpty();
        assertThat(stage.routesOf("*")).hasSize(1);
    }

    @Test
    void ofTheSameAgeTheFirstByNameIsLetIn() {
        Stage stage = new Stage(BASE, named("HTTPRoute", "z", "a.example") + named("GRPCRoute", "b", "a.example"));

        assertThat(stage.condition("GRPCRoute", "infra/b", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.condition("HTTPRoute", "infra/z", "Accepted")).isEqualTo("False HostnameConflict");
    }

    @Test
    void whoWasRefusedIsLetInWhenTheOtherGoes_andHoldsNothingAgainstAThirdUntilThen() {
        Stage stage = new Stage(
                BASE,
                named("HTTPRoute", "first", "a.example"),
                route("GRPCRoute", "second", "hostnames: [a.example, b.example]\n" + TO_ONE),
                named("HTTPRoute", "third", "b.example"));
        assertThat(stage.condition("GRPCRoute", "infra/second", "Accepted")).isEqualTo("False HostnameConflict");
        assertThat(stage.condition("HTTPRoute", "infra/third", "Accepted")).isEqualTo("True Accepted");

        stage.delete("gateway.networking.k8s.io/HTTPRoute", "infra", "first");

        assertThat(stage.condition("GRPCRoute", "infra/second", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.condition("HTTPRoute", "infra/third", "Accepted")).isEqualTo("False HostnameConflict");
    }

    @Test
    void atAnotherListenerBothAreLetIn() {
        Stage stage = new Stage(
                BASE.replace(
                        "- {name: web, port: 80, protocol: HTTP}",
                        "[{name: web, port: 80, protocol: HTTP}, {name: other, port: 81, protocol: HTTP}]"),
                named("HTTPRoute", "web", "a.example").replace("{name: edge}", "{name: edge, sectionName: web}"),
                named("GRPCRoute", "calls", "a.example"));

        assertThat(stage.condition("GRPCRoute", "infra/calls", "Accepted")).isEqualTo("True Accepted");
        assertThat(attached(stage)).isEqualTo(1);
        assertThat(stage.entry("infra/edge", "other").path("attachedRoutes").asInt())
                .isEqualTo(1);
    }
}
