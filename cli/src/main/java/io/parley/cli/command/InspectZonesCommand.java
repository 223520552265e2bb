package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.parley.cli.client.ApiClient;
import io.parley.cli.client.Pages;
import io.parley.cli.client.ServerOptions;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code parley inspect zones}: a line for each zone, whether it is connected, and what became of what it was sent. */
@Command(name = "zones", description = "Show which zones are connected and in step.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class InspectZonesCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Override
    public void run() {
        Table table = new Table(
                "NAME",
                "STATUS",
                "LAST CONNECTED",
                "LAST UPDATED",
                "SENT",
                "ACCEPTED",
                "REJECTED",
                "VERSION",
                "PROBLEM");
        try (ApiClient client = server.client()) {
            Map<String, JsonNode> insights = new HashMap<>();
            Pages.all(client, "/zone-insights", "")
                    .forEach(each -> insights.put(each.path("name").asText(), each));
            for (JsonNode zone : Pages.all(client, "/zones", "")) {
                add(table, zone, insights.getOrDefault(zone.path("name").asText(), MissingNode.getInstance()));
            }
        }
        table.print(spec.commandLine().getOut());
    }

    private static void add(Table table, JsonNode zone, JsonNode insight) {
        JsonNode last = MissingNode.getInstance();
        boolean online = false;
        for (JsonNode subscription : insight.path("subscriptions")) {
            last = subscription;
            online |= !subscription.hasNonNull("disconnectTime");
        }
        JsonNode total = last.path("status").path("total");
        table.add(
                zone.path("name").asText(),
                status(zone, online),
                last.path("connectTime").asText("-"),
                last.path("status").path("lastUpdateTime").asText("-"),
                total.path("responsesSent").asText("0"),
                total.path("responsesAcknowledged").asText("0"),
                total.path("responsesRejected").asText("0"),
                last.path("version").path("kumaCp").path("version").asText("-"),
                problem(insight));
    }

    private static String status(JsonNode zone, boolean online) {
        String connected = online ? "Online" : "Offline";
        return zone.path("enabled").asBoolean(true) ? connected : connected + ", disabled";
    }

    private static String problem(JsonNode insight) {
        String refused = insight.path("lastRefusal").path("because").asText("");
        return refused.isEmpty() ? insight.path("lastRejection").path("because").asText("-") : refused;
    }
}
