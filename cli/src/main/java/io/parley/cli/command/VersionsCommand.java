package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.cli.client.ApiClient;
import io.parley.cli.client.ServerOptions;
import io.parley.resource.manifest.ManifestWriter;
import io.parley.resource.manifest.ServerFields;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley versions}: which versions of which services data planes and control plane agree to. */
@Command(
        name = "versions",
        description = "Look ahead at what version policies would do.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = VersionsCommand.Preview.class)
@SuppressWarnings("NullAway.Init") // set by picocli
public final class VersionsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** {@code parley versions preview}: asks the control plane to decide as if the policies were there. */
    @Command(
            name = "preview",
            description = "Tell which connected data planes would be accepted, downgraded or rejected"
                    + " if these VersionPolicies were applied. Nothing is stored.")
    static final class Preview implements Runnable {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions server;

        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE|DIR|-",
                required = true,
                description = "The policies, as for 'parley apply'.")
        private List<String> files;

        @Override
        public void run() {
            // JSON is YAML too, and documents are told apart by their separator.
            String policies = ManifestFiles.read(files).stream()
                    .map(policy -> ManifestWriter.json(policy, ServerFields.NONE))
                    .collect(Collectors.joining("\n---\n"));
            Table table = new Table("MESH", "NAME", "EFFECT", "BEFORE", "AFTER");
            try (ApiClient client = server.client()) {
                for (JsonNode item : client.postManifests("/versions/preview", policies)
                        .body()
                        .path("items")) {
                    table.add(
                            item.path("mesh").asText(),
                            item.path("name").asText(),
                            item.path("effect").asText(),
                            outcomes(item.path("before")),
                            outcomes(item.path("after")));
                }
            }
            table.print(spec.commandLine().getOut());
        }

        private static String outcomes(JsonNode outcomes) {
            return StreamSupport.stream(outcomes.spliterator(), false)
                    .map(each -> each.path("service").asText() + " "
                            + (each.has("version")
                                    ? each.path("version").asText()
                                    : "(" + each.path("because").asText() + ")"))
                    .collect(Collectors.joining(", "));
        }
    }
}
