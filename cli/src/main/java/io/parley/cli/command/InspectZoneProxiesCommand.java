package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.cli.client.ApiClient;
import io.parley.cli.client.Pages;
import io.parley.cli.client.ServerOptions;
import io.parley.control.api.ResourcePath;
import io.parley.resource.KindId;
import io.parley.resource.kind.Kinds;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code parley inspect zoneingresses} and {@code zoneegresses}: a line for each, whether its proxy is connected. */
@SuppressWarnings("NullAway.Init") // fields are set by picocli
abstract sealed class InspectZoneProxiesCommand implements Runnable {
    private final String kind;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    private InspectZoneProxiesCommand(String kind) {
        this.kind = kind;
    }

    /** Ways into zones. */
    @Command(
            name = "zoneingresses",
            aliases = "zone-ingresses",
            description = "Show which ways into zones are connected, and how many services they offer.")
    static final class Ingresses extends InspectZoneProxiesCommand {
        Ingresses() {
            super("ZoneIngress");
        }
    }

    /** Ways out of zones. */
    @Command(
            name = "zoneegresses",
            aliases = "zone-egresses",
            description = "Show which ways out of zones are connected.")
    static final class Egresses extends InspectZoneProxiesCommand {
        Egresses() {
            super("ZoneEgress");
        }
    }

    @Override
    public void run() {
        Table table = new Table("NAME", "ZONE", "STATUS", "SINCE", "ADDRESS", "SERVICES", "VERSION");
        try (ApiClient client = server.client()) {
            Map<String, JsonNode> insights = new HashMap<>();
            list(client, kind + "Insight")
                    .forEach(each -> insights.put(each.path("name").asText(), each));
            for (JsonNode proxy : list(client, kind)) {
                String name = proxy.path("name").asText();
                add(
                        table,
                        proxy,
                        new DataplaneView("", name, proxy, insights.getOrDefault(name, DataplaneView.NOTHING)));
            }
        }
        table.print(spec.commandLine().getOut());
    }

    private static void add(Table table, JsonNode proxy, DataplaneView view) {
        JsonNode networking = proxy.path("networking");
        table.add(
                view.name(),
                proxy.path("zone")
                        .asText(proxy.path("labels").path("kuma.io/zone").asText("-")),
                view.status(),
                ResourceTable.age(view.connected(), Clock.systemUTC()),
                networking
                                .path("advertisedAddress")
                                .asText(networking.path("address").asText()) + ":"
                        + networking
                                .path("advertisedPort")
                                .asText(networking.path("port").asText()),
                Integer.toString(proxy.path("availableServices").size()),
                view.negotiation().path("node").path("version").asText("-"));
    }

    private static Iterable<JsonNode> list(ApiClient client, String kind) {
        return Pages.all(client, ResourcePath.of(Kinds.require(new KindId(kind)), null), "");
    }
}
