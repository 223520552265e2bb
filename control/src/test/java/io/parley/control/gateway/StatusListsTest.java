package io.parley.control.gateway;

import static io.parley.control.gateway.Stage.BASE;
import static io.parley.control.gateway.Stage.route;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.status.Serving;
import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists in statuses, some of which others write as well. */
class StatusListsTest {
    private static final String TO_ONE = "rules: [{backendRefs: [{name: one, port: 8080}]}]";

    private static ResourceKey key(String kind, String name) {
        return new ResourceKey(new KindId(Stage.GROUP + kind), "infra", name);
    }

    private static ObjectNode foreignCondition() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", "example.com/Seeded")
                .put("status", "True")
                .put("observedGeneration", 1)
                .put("reason", "Seeded");
    }

    private static ObjectNode foreignParent(String gateway) {
        ObjectNode parent = JsonNodeFactory.instance.objectNode();
        parent.putObject("parentRef").put("name", gateway);
        return parent.put("controllerName", "example.com/other");
    }

    private static List<String> types(JsonNode conditions) {
        return conditions.valueStream().map(each -> each.path("type").asText()).toList();
    }

    @Test
    void gatewayPreserveForeignConditions() {
        Stage stage = new Stage(BASE);
        ObjectNode status = stage.status("Gateway", "infra/edge");
        status.withArray("conditions").add(foreignCondition());
        ((ObjectNode) status.at("/listeners/0")).withArray("conditions").add(foreignCondition());
        stage.statuses.put(key("Gateway", "edge"), status);

        stage.apply(BASE.replace("port: 80,", "port: 80, hostname: second.example,"));

        ObjectNode after = stage.status("Gateway", "infra/edge");
        assertThat(after.at("/conditions/0/observedGeneration").asInt()).isEqualTo(2);
        assertThat(after.path("conditions")).contains(foreignCondition());
        assertThat(after.at("/listeners/0/conditions")).contains(foreignCondition());
        assertThat(types(after.path("conditions"))).doesNotHaveDuplicates();
    }

    @Test
    void entriesOfOthersStayWhereTheyAre() {
        Stage stage = new Stage(BASE, route("HTTPRoute", "r", TO_ONE));
        ObjectNode status = stage.status("HTTPRoute", "infra/r");
        ArrayNode parents = status.withArray("parents");
        parents.insert(0, foreignParent("before"));
        parents.add(foreignParent("after"));
        stage.statuses.put(key("HTTPRoute", "r"), status);

        stage.apply(route("HTTPRoute", "r", TO_ONE.replace("8080", "1")));

        assertThat(stage.status("HTTPRoute", "infra/r").path("parents").valueStream())
                .extracting(each -> each.at("/parentRef/name").asText())
                .containsExactly("before", "edge", "after");
    }

    @Test
    void noMoreEntriesAreWrittenThanTheApiAllows() {
        Stage stage = new Stage(BASE);
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < 32; i++) {
            status.withArray("parents").add(foreignParent("gateway-" + i));
        }
        stage.statuses.put(key("HTTPRoute", "r"), status);

        stage.apply(route("HTTPRoute", "r", TO_ONE));

        assertThat(stage.status("HTTPRoute", "infra/r").path("parents")).hasSize(32);
    }

    @Test
    void aRouteThatNamesAListenerTwiceIsAttachedOnce() {
        Stage stage = new Stage(
                BASE,
                route("HTTPRoute", "r", TO_ONE)
                        .replace("[{name: edge}]", "[{name: edge, sectionName: web}, {name: edge, port: 80}]"));

        assertThat(stage.entry("infra/edge", "web").path("attachedRoutes").asInt())
                .isEqualTo(1);
        assertThat(stage.routesOf("*")).hasSize(1);
        assertThat(stage.status("HTTPRoute", "infra/r").path("parents")).hasSize(2);
    }

    @Test
    void aRouteThatIsNotAcceptedIsNotCounted() {
        Stage stage = new Stage(
                BASE,
                Stage.service("infra", "one", "{port: 8080, appProtocol: kubernetes.io/raw}"),
                route("HTTPRoute", "r", TO_ONE));

        assertThat(stage.condition("HTTPRoute", "infra/r", "Accepted")).isEqualTo("False UnsupportedProtocol");
        assertThat(stage.entry("infra/edge", "web").path("attachedRoutes").asInt())
                .isZero();
    }

    @Test
    void aRouteThatRedirectsSomethingIsAcceptedWhateverItsBackendsSpeak() {
        Stage stage = new Stage(
                BASE,
                Stage.service("infra", "one", "{port: 8080, appProtocol: kubernetes.io/raw}"),
                route("HTTPRoute", "r", """
                    rules:
                      - filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}]
                        matches: [{path: {value: /old}}]
                      - backendRefs: [{name: one, port: 8080}]
                    """));

        assertThat(stage.condition("HTTPRoute", "infra/r", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.condition("HTTPRoute", "infra/r", "ResolvedRefs")).isEqualTo("False UnsupportedProtocol");
    }

    @Test
    void tcpRouteMultipleRoutesAttachment() {
        Stage stage = new Stage(
                BASE.replace("protocol: HTTP", "protocol: TCP"),
                route("TCPRoute", "older", TO_ONE),
                route("TCPRoute", "newer", TO_ONE));

        assertThat(stage.condition("TCPRoute", "infra/newer", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.entry("infra/edge", "web").path("attachedRoutes").asInt())
                .isEqualTo(2);
    }

    @Test
    void aListenerThatAProxyCannotOpenIsNotProgrammed_andTheOthersAre() {
        Stage stage = new Stage(BASE.replace(
                "- {name: web, port: 80, protocol: HTTP}",
                "[{name: web, port: 80, protocol: HTTP}, {name: other, port: 81, protocol: HTTP}]"));
        stage.troubles.put(0, new Serving.Trouble(Serving.Cause.PORT, "port 80 is in use"));
        stage.tell(new Name("infra", "edge"));

        assertThat(stage.listener("infra/edge", "web", "Programmed")).isEqualTo("False PortUnavailable");
        assertThat(stage.listener("infra/edge", "other", "Programmed")).isEqualTo("True Programmed");
        assertThat(stage.condition("Gateway", "infra/edge", "Programmed")).isEqualTo("True Programmed");

        stage.troubles.put(1, new Serving.Trouble(Serving.Cause.ADDRESS, "no such address"));
        stage.tell(new Name("infra", "edge"));

        assertThat(stage.condition("Gateway", "infra/edge", "Programmed")).isEqualTo("False AddressNotUsable");
    }

    @Test
    void aClassWhoseParametersAreMissingIsNotAccepted() {
        String parameters = "spec: {parametersRef: {group: \"\", kind: ConfigMap, name: ports, namespace: infra},";
        Stage stage = new Stage(BASE.replace("spec: {controllerName", parameters + " controllerName"));
        assertThat(stage.condition("GatewayClass", "parley", "Accepted")).isEqualTo("False InvalidParameters");

        stage.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: ports, namespace: infra}, data: {portOffset:"
                + " \"65500\"}}");

        assertThat(stage.condition("GatewayClass", "parley", "Accepted")).isEqualTo("True Accepted");
        assertThat(stage.listener("infra/edge", "web", "Accepted")).isEqualTo("False PortUnavailable");
    }
}
