package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.cli.client.ApiClient;
import io.parley.cli.client.Pages;
import io.parley.cli.client.ServerOptions;
import io.parley.control.api.ResourcePath;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import io.parley.resource.text.YamlWriter;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley get}: a table for people; {@code -o yaml} and {@code -o json} for programs, ready to be applied again. */
@Command(name = "get", description = "Show one resource, or all of a kind.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class GetCommand implements Runnable {
    /** How to print. */
    enum Output {
        TABLE,
        YAML,
        JSON
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Mixin
    private KindArgument kind;

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "One resource; without it, all.")
    private @Nullable String name;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, yaml or json. Default: ${DEFAULT-VALUE}.")
    private Output output;

    @Option(
            names = {"-l", "--label"},
            paramLabel = "KEY=VALUE",
            description = "Only resources with this label; may be given several times.")
    private List<String> labels = new ArrayList<>();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        if (kind.word().equalsIgnoreCase("kinds")) {
            printKinds(out);
            return;
        }
        try (ApiClient client = server.client()) {
            if (name == null) {
                print(list(client), out);
            } else {
                JsonNode resource = kind.about(client, name, client::get).body();
                if (output == Output.JSON) {
                    out.println(resource.toPrettyString());
                } else {
                    print(List.of(resource), out);
                }
            }
        }
    }

    private List<JsonNode> list(ApiClient client) {
        kind.requireMesh(client);
        StringBuilder query = new StringBuilder();
        labels.forEach(label -> query.append("&label=").append(URLEncoder.encode(label, StandardCharsets.UTF_8)));
        return Pages.all(client, ResourcePath.of(kind.kind(), kind.listSpace()), query.toString()).stream()
                .filter(kind::admits)
                .toList();
    }

    private void print(List<JsonNode> resources, PrintWriter out) {
        switch (output) {
            case TABLE ->
                ResourceTable.of(kind.kind(), resources, Clock.systemUTC()).print(out);
            case JSON -> {
                ObjectNode list = JsonNodeFactory.instance.objectNode();
                list.put("total", resources.size());
                list.putArray("items").addAll(resources);
                out.println(list.toPrettyString());
            }
            case YAML -> {
                String separator = "";
                for (JsonNode resource : resources) {
                    out.print(separator);
                    out.print(YamlWriter.write(resource));
                    separator = "---\n";
                }
                out.flush();
            }
        }
    }

    private static void printKinds(PrintWriter out) {
        Table table = new Table("KIND", "PLURAL", "SHORT", "SCOPE", "DESCRIPTION");
        for (Kind each : Kinds.all()) {
            String replaced =
                    each.replacedBy().map(newer -> " (old: use " + newer + ")").orElse("");
            table.add(
                    each.id().value(),
                    each.plural(),
                    String.join(",", each.words()),
                    each.scope().name().toLowerCase(Locale.ROOT),
                    each.description() + replaced);
        }
        table.print(out);
    }
}
