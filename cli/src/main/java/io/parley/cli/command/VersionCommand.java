package io.parley.cli.command;

import io.parley.control.ProgramVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code parley version}. */
@Command(name = "version", description = "Print the version of this program.")
public final class VersionCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().getOut().println(line());
    }

    private static String line() {
        return "parley " + ProgramVersion.current() + " (Java " + Runtime.version() + ")";
    }

    /** The same for {@code --version}. */
    public static final class Provider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {line()};
        }
    }
}
