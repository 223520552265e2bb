package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.cli.client.ApiClient;
import io.parley.cli.client.ServerOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley inspect meshes}: a line for each mesh. */
@Command(name = "meshes", description = "Show the meshes and what is in them.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class InspectMeshesCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text or json. Default: ${DEFAULT-VALUE}.")
    private AnswerFormat.Output output;

    @Override
    public void run() {
        try (ApiClient client = server.client()) {
            JsonNode answer = client.get("/inspect/meshes").body();
            if (output == AnswerFormat.Output.JSON) {
                spec.commandLine().getOut().println(answer.toPrettyString());
                return;
            }
            Table table = new Table("NAME", "MTLS", "DATAPLANES", "SERVICES", "POLICIES");
            answer.path("items")
                    .forEach(each -> table.add(
                            each.path("name").asText(),
                            each.path("mtls").asText(),
                            each.path("dataplanes").asText(),
                            each.path("services").asText(),
                            each.path("policies").asText()));
            table.print(spec.commandLine().getOut());
        }
    }
}
