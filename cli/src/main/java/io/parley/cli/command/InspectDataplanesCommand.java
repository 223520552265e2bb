package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.cli.client.ApiClient;
import io.parley.cli.client.Pages;
import io.parley.cli.client.ServerOptions;
import io.parley.control.api.ResourcePath;
import io.parley.resource.KindId;
import io.parley.resource.kind.Kinds;
import java.time.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley inspect dataplanes}: a line for each data plane, whether it is connected, and what it agreed to. */
@Command(name = "dataplanes", description = "Show which data planes are connected and what they agreed to.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class InspectDataplanesCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Option(
            names = {"-m", "--mesh"},
            paramLabel = "MESH",
            description = "Only those of this mesh.")
    private @Nullable String mesh;

    @Override
    public void run() {
        Table table = new Table("MESH", "NAME", "STATUS", "SINCE", "SERVICES", "VERSION", "AGREED", "REJECTED");
        try (ApiClient client = server.client()) {
            for (DataplaneView each : views(client)) {
                table.add(
                        each.mesh(),
                        each.name(),
                        each.status(),
                        ResourceTable.age(each.connected(), Clock.systemUTC()),
                        each.services(),
                        each.negotiation().path("node").path("version").asText("-"),
                        each.agreed(),
                        each.rejected());
            }
        }
        table.print(spec.commandLine().getOut());
    }

    private List<DataplaneView> views(ApiClient client) {
        Map<Key, JsonNode> dataplanes = list(client, "Dataplane");
        Map<Key, JsonNode> insights = list(client, "DataplaneInsight");
        Set<Key> keys = new HashSet<>(dataplanes.keySet());
        keys.addAll(insights.keySet());
        return keys.stream()
                .sorted(Comparator.comparing(Key::mesh).thenComparing(Key::name))
                .map(key -> new DataplaneView(
                        key.mesh(),
                        key.name(),
                        dataplanes.getOrDefault(key, DataplaneView.NOTHING),
                        insights.getOrDefault(key, DataplaneView.NOTHING)))
                .toList();
    }

    private record Key(String mesh, String name) {}

    private Map<Key, JsonNode> list(ApiClient client, String kind) {
        String path = ResourcePath.of(Kinds.require(new KindId(kind)), mesh);
        Map<Key, JsonNode> byKey = new HashMap<>();
        Pages.all(client, path, "")
                .forEach(each -> byKey.put(
                        new Key(each.path("mesh").asText(), each.path("name").asText()), each));
        return byKey;
    }
}
