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

/**
 * {@code parley inspect zones}: a line for each zone, whether it is connected, what became of what it was sent, and what is wrong. At a
 * zone's own control plane: how it stands with global, a line for each class of kinds.
 */
@Command(name = "zones", description = "Show which zones are connected and in step.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class InspectZonesCommand implements Runnable {
    private static final String BECAUSE = "because";
    private static final String NONE = "-";

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
                "SYNC",
                "PROBLEM");
        try (ApiClient client = server.client()) {
            Map<String, JsonNode> insights = new HashMap<>();
            Pages.all(client, "/zone-insights", "")
                    .forEach(each -> insights.put(each.path("name").asText(), each));
            for (JsonNode zone : Pages.all(client, "/zones", "")) {
                add(table, zone, insights.getOrDefault(zone.path("name").asText(), MissingNode.getInstance()));
            }
            Pages.all(client, "/inspect/links", "").forEach(link -> addLink(table, link));
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
                last.path("connectTime").asText(NONE),
                last.path("status").path("lastUpdateTime").asText(NONE),
                total.path("responsesSent").asText("0"),
                total.path("responsesAcknowledged").asText("0"),
                total.path("responsesRejected").asText("0"),
                last.path("version").path("kumaCp").path("version").asText(NONE),
                last.path("syncVersion").asText(NONE),
                problem(insight));
    }

    private static String status(JsonNode zone, boolean online) {
        String connected = online ? "Online" : "Offline";
        return zone.path("enabled").asBoolean(true) ? connected : connected + ", disabled";
    }

    /** Why the zone is kept out; else the newest of the rejections that stand. */
    private static String problem(JsonNode insight) {
        String refused = insight.path("lastRefusal").path(BECAUSE).asText("");
        if (!refused.isEmpty()) {
            return refused;
        }
        String newest = "";
        String shown = NONE;
        int standing = 0;
        for (Map.Entry<String, JsonNode> direction : insight.path("rejections").properties()) {
            for (Map.Entry<String, JsonNode> kind : direction.getValue().properties()) {
                standing++;
                String time = kind.getValue().path("time").asText();
                if (time.compareTo(newest) >= 0) {
                    newest = time;
                    shown = kind.getKey() + " " + direction.getKey() + ": "
                            + kind.getValue().path(BECAUSE).asText();
                }
            }
        }
        return standing > 1 ? shown + " (and " + (standing - 1) + " more)" : shown;
    }

    private static void addLink(Table table, JsonNode link) {
        String kinds = link.path("kinds").asText();
        String status = switch (link.path("state").asText()) {
            case "connected" -> "Online";
            case "connecting" -> "Connecting";
            case "elsewhere" -> "Online";
            default -> "Offline";
        };
        table.add(
                link.path("zone").asText(),
                status + ", " + kinds + " kinds",
                link.path("since").asText(NONE),
                NONE,
                NONE,
                NONE,
                NONE,
                NONE,
                link.path("syncVersion").asText(NONE),
                link.path(BECAUSE).asText(NONE));
    }
}
