package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.resource.kind.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What people expect to see of Gateway API objects in a table, as {@code kubectl get} has it. */
final class GatewayColumns {
    /** A column, and what stands in it. */
    record Column(String title, Function<JsonNode, String> value) {}

    private static final String GROUP = "gateway.networking.k8s.io/";
    private static final Column HOSTNAMES =
            new Column("HOSTNAMES", route -> joined(route.at("/spec/hostnames"), JsonNode::asText));
    private static final Column ACCEPTED = new Column("ACCEPTED", route -> ofParents(route, "Accepted"));
    private static final Column RESOLVED = new Column("RESOLVED", route -> ofParents(route, "ResolvedRefs"));

    private static final Map<String, List<Column>> BY_KIND = Map.of(
            GROUP + "GatewayClass",
            List.of(
                    new Column(
                            "CONTROLLER",
                            each -> each.at("/spec/controllerName").asText()),
                    new Column("ACCEPTED", each -> condition(each, each.at("/status/conditions"), "Accepted"))),
            GROUP + "Gateway",
            List.of(
                    new Column(
                            "CLASS", each -> each.at("/spec/gatewayClassName").asText()),
                    new Column(
                            "ADDRESS",
                            each -> joined(
                                    each.at("/status/addresses"),
                                    address -> address.path("value").asText())),
                    new Column("PROGRAMMED", each -> condition(each, each.at("/status/conditions"), "Programmed"))),
            GROUP + "HTTPRoute",
            List.of(HOSTNAMES, ACCEPTED, RESOLVED),
            GROUP + "GRPCRoute",
            List.of(HOSTNAMES, ACCEPTED, RESOLVED),
            GROUP + "TLSRoute",
            List.of(HOSTNAMES, ACCEPTED, RESOLVED),
            GROUP + "TCPRoute",
            List.of(ACCEPTED, RESOLVED),
            GROUP + "UDPRoute",
            List.of(ACCEPTED, RESOLVED));

    private GatewayColumns() {}

    static List<Column> of(Kind kind) {
        return BY_KIND.getOrDefault(kind.id().value(), List.of());
    }

    /** One word if all parents agree; why not, where the answer is no. */
    private static String ofParents(JsonNode route, String type) {
        Set<String> found = new LinkedHashSet<>();
        for (JsonNode parent : route.at("/status/parents")) {
            found.add(condition(route, parent.path("conditions"), type));
        }
        return String.join(",", found);
    }

    /** What was said of an earlier generation says nothing of this one. */
    private static String condition(JsonNode resource, JsonNode conditions, String type) {
        long generation = resource.at("/metadata/generation").asLong();
        for (JsonNode each : conditions) {
            if (each.path("type").asText().equals(type)
                    && each.path("observedGeneration").asLong(generation) == generation) {
                String status = each.path("status").asText();
                return status.equals("True")
                        ? status
                        : status + ":" + each.path("reason").asText();
            }
        }
        return "Unknown";
    }

    private static String joined(JsonNode list, Function<JsonNode, String> text) {
        List<String> texts = new ArrayList<>();
        list.forEach(each -> texts.add(text.apply(each)));
        return String.join(",", texts);
    }
}
