package io.parley.cli.client;

/** Ends a command with a message for people and a number for scripts. */
public final class CommandFailure extends RuntimeException {
    private final ExitCode exitCode;

    public CommandFailure(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public ExitCode exitCode() {
        return exitCode;
    }
}
