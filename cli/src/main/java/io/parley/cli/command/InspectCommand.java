package io.parley.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code parley inspect}: what is going on, as opposed to what was declared. */
@Command(
        name = "inspect",
        description = "Show what is going on: who is connected, and what was agreed.",
        synopsisSubcommandLabel = "WHAT",
        subcommands = {
            InspectMeshesCommand.class,
            InspectServicesCommand.class,
            InspectNamesCommand.class,
            InspectPoliciesCommand.class,
            InspectDataplanesCommand.class,
            InspectDataplaneCommand.class,
            InspectGatewaysCommand.class,
            InspectZonesCommand.class,
            InspectZoneProxiesCommand.Ingresses.class,
            InspectZoneProxiesCommand.Egresses.class
        })
@SuppressWarnings("NullAway.Init") // set by picocli
public final class InspectCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Called without saying what: show what there is. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
