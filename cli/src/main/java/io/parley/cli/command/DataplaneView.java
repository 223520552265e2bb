package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A data plane for people: its resource, and what was last seen of it.
 *
 * @param dataplane missing if it connected without a resource
 * @param insight missing if it never connected
 */
record DataplaneView(String mesh, String name, JsonNode dataplane, JsonNode insight) {
    static final JsonNode NOTHING = MissingNode.getInstance();

    boolean isOnline() {
        for (JsonNode subscription : insight.path("subscriptions")) {
            if (!subscription.has("disconnectTime")) {
                return true;
            }
        }
        return false;
    }

    String status() {
        if (insight.isMissingNode()) {
            return "never seen";
        }
        return (isOnline() ? "online" : "offline") + (isUndeclared() ? ", no Dataplane" : "");
    }

    /** Whether it joined and nobody has declared it, so that there is nothing to tell it. */
    boolean isUndeclared() {
        return dataplane.isMissingNode();
    }

    JsonNode negotiation() {
        return insight.path("negotiation");
    }

    /** The last time it came. */
    String connected() {
        JsonNode subscriptions = insight.path("subscriptions");
        return subscriptions.isEmpty()
                ? ""
                : subscriptions
                        .get(subscriptions.size() - 1)
                        .path("connectTime")
                        .asText();
    }

    /** {@code config v2, identity v1}. */
    String agreed() {
        return texts(
                negotiation().path("accepted"),
                each -> each.path("service").asText() + " "
                        + each.path("version").asText());
    }

    /** Services that were not agreed on, and kinds of resources of which it does not take what it is sent. */
    String rejected() {
        Set<String> rejected = new LinkedHashSet<>();
        negotiation()
                .path("rejected")
                .forEach(each -> rejected.add(each.path("service").asText()));
        for (JsonNode subscription : insight.path("subscriptions")) {
            if (!subscription.has("disconnectTime")) {
                subscription.path("status").properties().stream()
                        .filter(type -> type.getValue().has("rejection"))
                        .map(type -> type.getKey().substring(type.getKey().lastIndexOf('.') + 1))
                        .forEach(rejected::add);
            }
        }
        return rejected.isEmpty() ? "-" : String.join(", ", rejected);
    }

    String services() {
        List<String> names = new ArrayList<>();
        dataplane
                .path("networking")
                .path("inbound")
                .forEach(inbound ->
                        names.add(inbound.path("tags").path("kuma.io/service").asText()));
        JsonNode gateway =
                dataplane.path("networking").path("gateway").path("tags").path("kuma.io/service");
        if (gateway.isTextual()) {
            names.add(gateway.asText());
        }
        return names.stream().distinct().collect(Collectors.joining(","));
    }

    private static String texts(JsonNode list, java.util.function.Function<JsonNode, String> text) {
        List<String> texts = new ArrayList<>();
        list.forEach(each -> texts.add(text.apply(each)));
        return texts.isEmpty() ? "-" : String.join(", ", texts);
    }
}
