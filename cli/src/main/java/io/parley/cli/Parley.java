package io.parley.cli;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.cli.command.ApplyCommand;
import io.parley.cli.command.BootstrapCommand;
import io.parley.cli.command.CertificateCommand;
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
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program's entry point: the list of commands, and how a failure of any of them ends. */
@Command(
        name = "parley",
        description = "A service mesh and gateway in which both ends of every hop agree on what they speak.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = VersionCommand.Provider.class,
        footerHeading = "%n",
        footer = {
            "Every option can also be set in the environment (--token-file as PARLEY_TOKEN_FILE)",
            "or in a YAML file named by --config or PARLEY_CONFIG (token-file: …).",
        })
public final class Parley implements Runnable {
    /** By name, in the order in which help shows them; after them come those that are about all commands. */
    static final Map<String, Class<?>> COMMANDS = commands();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** For help to show: {@link Settings} takes it from the line before that is read. */
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = Settings.CONFIG,
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "YAML file with options that are neither here nor in the environment (token-file: …).")
    private @Nullable Path config;

    public static void main(String[] args) {
        // No client may make a server sign over and over on one connection (CVE-2011-1473). The JDK's TLS, which speaks
        // wherever BoringSSL does not load, asks
        // once, before its first handshake: a proxy that starts later in this process, as in the demo, would be too
        // late.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
        System.exit(run(Map.copyOf(System.getenv()), System.out, System.err, args));
    }

    /** Runs one command and returns what the process should exit with. */
    static int run(Map<String, String> environment, PrintStream out, PrintStream err, String... args) {
        PrintWriter errors = new PrintWriter(err, true, StandardCharsets.UTF_8);
        try {
            Settings settings = Settings.read(environment, args);
            CommandLine commandLine = commandLine(settings);
            commandLine.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
            commandLine.setErr(errors);
            commandLine.setCaseInsensitiveEnumValuesAllowed(true);
            commandLine.setExecutionExceptionHandler((failure, command, _) -> report(failure, command.getErr()));
            commandLine.setParameterExceptionHandler((mistake, _) -> report(mistake));
            commandLine.setDefaultValueProvider(settings);
            return commandLine.execute(settings.argumentsFor(commandLine));
        } catch (CommandFailure e) {
            return report(e, errors);
        }
    }

    /** With the command that is called; with all of them if that is none, or if a file has settings for any of them. */
    private static CommandLine commandLine(Settings settings) {
        CommandLine commandLine = new CommandLine(new Parley());
        Class<?> called = COMMANDS.get(settings.firstArgument());
        if (called != null && !settings.haveFile()) {
            // To describe all the others to the parser would take a quarter of the time until a control plane is ready.
            return commandLine.addSubcommand(called);
        }
        COMMANDS.values().forEach(commandLine::addSubcommand);
        commandLine.addSubcommand(HelpCommand.class);
        commandLine.addSubcommand("completion", new CommandLine(new GenerateCompletion()).setCommandName("completion"));
        settings.refuseUnknownKeys(commandLine.getCommandSpec());
        return commandLine;
    }

    private static Map<String, Class<?>> commands() {
        Map<String, Class<?>> commands = new LinkedHashMap<>();
        commands.put("demo", DemoCommand.class);
        commands.put("control-plane", ControlPlaneCommand.class);
        commands.put("proxy", ProxyCommand.class);
        commands.put("gateway", GatewayCommand.class);
        commands.put("inject", InjectCommand.class);
        commands.put("apply", ApplyCommand.class);
        commands.put("get", GetCommand.class);
        commands.put("delete", DeleteCommand.class);
        commands.put("inspect", InspectCommand.class);
        commands.put("explain", ExplainCommand.class);
        commands.put("versions", VersionsCommand.class);
        commands.put("token", TokenCommand.class);
        commands.put("bootstrap", BootstrapCommand.class);
        commands.put("certificate", CertificateCommand.class);
        commands.put("version", VersionCommand.class);
        return Collections.unmodifiableMap(commands);
    }

    /** Called without a command: show what there is. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** All options would push the mistake off the screen: who wants to see them asks. */
    private static int report(ParameterException mistake) {
        CommandLine command = mistake.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("parley: " + mistake.getMessage());
        UnmatchedArgumentException.printSuggestions(mistake, err);
        err.println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return ExitCode.USAGE.number();
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
