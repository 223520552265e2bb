package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code parley inspect services}: a line for each service of a mesh. */
@Command(name = "services", description = "Show the services of a mesh, their health and what they carry.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class InspectServicesCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private MeshQuestion question;

    @Override
    public void run() {
        JsonNode items = question.list("inspect/services", spec.commandLine().getOut());
        if (items == null) {
            return;
        }
        Table table = new Table("NAME", "KIND", "HEALTHY", "PROTOCOL", "ZONES", "NAMES", "BECAUSE");
        items.forEach(each -> table.add(
                each.path("name").asText(),
                each.path("kind").asText(),
                each.path("healthy").asText() + "/" + each.path("total").asText(),
                each.path("protocol").asText(),
                joined(each.path("zones")),
                joined(each.path("hostNames")),
                each.path("because").asText()));
        table.print(spec.commandLine().getOut());
    }

    private static String joined(JsonNode texts) {
        List<String> all = new ArrayList<>();
        texts.forEach(text -> all.add(text.asText()));
        return all.isEmpty() ? "-" : String.join(",", all);
    }
}
