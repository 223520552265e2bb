package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.cli.client.ServerOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code parley inspect gateways}: a line for each Gateway, and for each that proxies have joined for without there being one. */
@Command(name = "gateways", description = "Show which Gateways have proxies, and what is in their way.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class InspectGatewaysCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Mixin
    private AnswerFormat format;

    @Override
    public void run() {
        JsonNode items =
                format.list(server, "/inspect/gateways", spec.commandLine().getOut());
        if (items == null) {
            return;
        }
        Table table = new Table("NAMESPACE", "NAME", "PROXIES", "PROBLEM");
        items.forEach(each -> table.add(
                each.path("namespace").asText(),
                each.path("name").asText(),
                each.path("proxies").asText(),
                each.path("problem").asText().isEmpty()
                        ? "-"
                        : each.path("problem").asText()));
        table.print(spec.commandLine().getOut());
    }
}
