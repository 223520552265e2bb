package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code parley inspect policies}: a line for each policy of a mesh, and whether it acts. */
@Command(name = "policies", description = "Show the policies of a mesh and which of them are in force.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class InspectPoliciesCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private MeshQuestion question;

    @Override
    public void run() {
        JsonNode items = question.list("inspect/policies", spec.commandLine().getOut());
        if (items == null) {
            return;
        }
        Table table = new Table("KIND", "NAME", "ORIGIN", "TARGET", "SELECTS", "STATE");
        items.forEach(each -> table.add(
                each.path("kind").asText(),
                each.path("name").asText(),
                each.path("origin").asText(),
                each.path("target").asText(),
                each.path("selects").asText(),
                each.path("state").asText()));
        table.print(spec.commandLine().getOut());
    }
}
