package io.parley.cli;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.cli.command.ApplyCommand;
import io.parley.cli.command.BootstrapCommand;
import io.parley.cli.command.ControlPlaneCommand;
import io.parley.cli.command.DeleteCommand;
import io.parley.cli.command.DemoCommand;
import io.parley.cli.command.ExplainCommand;
import io.parley.cli.command.GatewayCommand;
import io.parley.cli.command.GetCommand;
import io.parley.cli.command.InjectCommand;
import io.parley.cli.command.InspectCommand;
import io.parley.cli.command.ProxyCommand;
import io.parley.cli.command.TokenCommand;
import io.parley.cli.command.VersionCommand;
import io.parley.cli.command.VersionsCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program's entry point: the list of commands, and how a failure of any of them ends. */
@Command(
        name = "parley",
        description = "A service mesh and gateway in which both ends of every hop agree on what they speak.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = VersionCommand.Provider.class,
        subcommands = {
            DemoCommand.class,
            ControlPlaneCommand.class,
            ProxyCommand.class,
            GatewayCommand.class,
            InjectCommand.class,
            ApplyCommand.class,
            GetCommand.class,
            DeleteCommand.class,
            InspectCommand.class,
            ExplainCommand.class,
            VersionsCommand.class,
            TokenCommand.class,
            BootstrapCommand.class,
            VersionCommand.class,
            HelpCommand.class,
        },
        footerHeading = "%n",
        footer = {
            "Every option can also be set in the environment (--token-file as PARLEY_TOKEN_FILE)",
            "or in a YAML file named by --config or PARLEY_CONFIG (token-file: …).",
        })
public final class Parley implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(run(Map.copyOf(System.getenv()), System.out, System.err, args));
    }

    /** Runs one command and returns what the process should exit with. */
    static int run(Map<String, String> environment, PrintStream out, PrintStream err, String... args) {
        CommandLine commandLine = new CommandLine(new Parley());
        // Before the settings below, which reach the subcommands that are there.
        commandLine.addSubcommand("completion", new CommandLine(new GenerateCompletion()));
        commandLine.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
        commandLine.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setExecutionExceptionHandler((failure, command, _) -> report(failure, command.getErr()));
        try {
            Settings settings = Settings.read(environment, args);
            settings.refuseUnknownKeys(commandLine.getCommandSpec());
            commandLine.setDefaultValueProvider(settings);
            return commandLine.execute(settings.argumentsWithoutConfig());
        } catch (CommandFailure e) {
            return report(e, commandLine.getErr());
        }
    }

    /** Called without a command: show what there is. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static int report(Exception failure, PrintWriter err) {
        err.println("parley: " + (failure instanceof CommandFailure ? failure.getMessage() : describe(failure)));
        err.flush();
        return (failure instanceof CommandFailure known ? known.exitCode() : ExitCode.FAILED).number();
    }

    /** A fault of ours is shown whole: the person who sees it will want to report it. */
    private static String describe(Exception fault) {
        StringWriter text = new StringWriter();
        fault.printStackTrace(new PrintWriter(text));
        return "internal error, please report it: " + text;
    }
}
