package io.parley.cli;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Where options come from that are not on the command line: the environment, then the YAML file. An option is called the same
 * everywhere: {@code --token-file}, {@code PARLEY_TOKEN_FILE}, {@code token-file:}.
 */
final class Settings implements IDefaultValueProvider {
    private static final String PREFIX = "PARLEY_";
    private static final String CONFIG = "--config";
    private static final String DASHES = "--";

    private final Map<String, String> environment;
    private final Map<String, String> file;
    private final List<String> arguments;

    private Settings(Map<String, String> environment, Map<String, String> file, List<String> arguments) {
        this.environment = environment;
        this.file = file;
        this.arguments = arguments;
    }

    /** Reads the file that {@code --config} or {@code PARLEY_CONFIG} names, if any. */
    static Settings read(Map<String, String> environment, String... args) {
        List<String> rest = new ArrayList<>();
        String config = environment.get(PREFIX + "CONFIG");
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals(CONFIG)) {
                if (++i == args.length) {
                    throw new CommandFailure(ExitCode.USAGE, CONFIG + ": a file name is missing");
                }
                config = args[i];
            } else if (args[i].startsWith(CONFIG + "=")) {
                config = args[i].substring(CONFIG.length() + 1);
            } else {
                rest.add(args[i]);
            }
        }
        Map<String, String> file = config == null ? Map.of() : ConfigFile.read(Path.of(config));
        return new Settings(environment, file, rest);
    }

    /** What should be a command's name; nothing if there are no arguments. */
    String firstArgument() {
        return arguments.isEmpty() ? "" : arguments.getFirst();
    }

    boolean haveFile() {
        return !file.isEmpty();
    }

    String[] argumentsWithoutConfig() {
        return arguments.toArray(new String[0]);
    }

    /** A key that no command knows is a mistake in the file: better to stop than to run without it. */
    void refuseUnknownKeys(CommandSpec program) {
        Set<String> known = new HashSet<>();
        collectNames(program, known);
        for (String key : file.keySet()) {
            if (!known.contains(key)) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "config file: unknown setting " + key
                                + " (expected: a long option of some command, without its dashes)");
            }
        }
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option) || !isSetting(option)) {
            return null;
        }
        String name = option.longestName().substring(DASHES.length());
        String variable = PREFIX + name.toUpperCase(Locale.ROOT).replace('-', '_');
        String fromEnvironment = environment.get(variable);
        return fromEnvironment != null ? fromEnvironment : file.get(name);
    }

    /** PARLEY_VERSION may well stand in an environment, and is no request to print the version. */
    private static boolean isSetting(OptionSpec option) {
        return option.longestName().startsWith(DASHES) && !option.usageHelp() && !option.versionHelp();
    }

    private static void collectNames(CommandSpec command, Set<String> names) {
        command.options().stream()
                .filter(Settings::isSetting)
                .forEach(option -> names.add(option.longestName().substring(DASHES.length())));
        command.subcommands().values().forEach(sub -> collectNames(sub.getCommandSpec(), names));
    }
}
