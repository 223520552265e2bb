package io.parley.cli.client;

/** What a command returns to the script that called it. Documented in docs/command-line.md: numbers never change. */
public enum ExitCode {
    OK(0),
    FAILED(1),
    USAGE(2),
    NOT_FOUND(3),
    CONFLICT(4),
    NOT_ALLOWED(5),
    UNREACHABLE(6),
    INVALID(7);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
