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
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Where options come from that are not on the command line: the environment, then the YAML file. An option is called the same
 * everywhere: {@code --token-file}, {@code PARLEY_TOKEN_FILE}, {@code token-file:}.
 */
final class Settings implements IDefaultValueProvider {
    private static final String PREFIX = "PARLEY_";
    static final String CONFIG = "--config";
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

    /**
     * The command line without {@code --config}, and with those options that belong together and are all set elsewhere. The parser asks
     * for the value of such an option only if another one of them is on the line.
     */
    String[] argumentsFor(CommandLine program) {
        List<String> all = new ArrayList<>(arguments);
        CommandLine called = program.getSubcommands().get(firstArgument());
        if (called != null) {
            for (ArgGroupSpec group : called.getCommandSpec().argGroups()) {
                all.addAll(1, setElsewhere(group));
            }
        }
        return all.toArray(new String[0]);
    }

    /** Nothing if one that is required is set nowhere: the others may be meant for another command. */
    private List<String> setElsewhere(ArgGroupSpec group) {
        List<String> found = new ArrayList<>();
        for (OptionSpec option : group.options()) {
            String value = defaultValue(option);
            if (isOnTheLine(option)) {
                continue;
            }
            if (value != null) {
                found.add(option.longestName() + "=" + value);
            } else if (option.required() && option.defaultValue() == null) {
                return List.of();
            }
        }
        return found;
    }

    private boolean isOnTheLine(OptionSpec option) {
        String name = option.longestName();
        return arguments.stream().anyMatch(argument -> argument.equals(name) || argument.startsWith(name + "="));
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
        String name = option.longestName();
        return name.startsWith(DASHES) && !name.equals(CONFIG) && !option.usageHelp() && !option.versionHelp();
    }

    private static void collectNames(CommandSpec command, Set<String> names) {
        command.options().stream()
                .filter(Settings::isSetting)
                .forEach(option -> names.add(option.longestName().substring(DASHES.length())));
        command.subcommands().values().forEach(sub -> collectNames(sub.getCommandSpec(), names));
    }
}
