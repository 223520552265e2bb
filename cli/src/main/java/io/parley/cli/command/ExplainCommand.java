package io.parley.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code parley explain}: why things are as they are. */
@Command(
        name = "explain",
        description = "Show the chain of decisions behind a connection, a setting or a backend.",
        synopsisSubcommandLabel = "WHAT",
        subcommands = {ExplainConnectionCommand.class, ExplainPolicyCommand.class, ExplainBackendCommand.class})
@SuppressWarnings("NullAway.Init") // set by picocli
public final class ExplainCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Called without saying what: show what there is. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
