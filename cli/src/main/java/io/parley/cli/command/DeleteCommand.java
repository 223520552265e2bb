package io.parley.cli.command;

import io.parley.cli.client.ApiClient;
import io.parley.cli.client.ServerOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley delete}. */
@Command(name = "delete", description = "Delete a resource, and what it owns.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class DeleteCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Mixin
    private KindArgument kind;

    @Parameters(index = "1", paramLabel = "NAME", description = "The resource's name.")
    private String name;

    @Option(names = "--dry-run", description = "Tell whether it could be deleted; delete nothing.")
    private boolean dryRun;

    @Override
    public void run() {
        try (ApiClient client = server.client()) {
            kind.about(client, name, path -> client.delete(path + (dryRun ? "?dryRun=true" : "")));
        }
        spec.commandLine().getOut().println(kind.key(name) + (dryRun ? " could be deleted (dry run)" : " deleted"));
    }
}
