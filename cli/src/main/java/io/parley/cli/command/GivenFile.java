package io.parley.cli.command;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that an option names. What is wrong with it is said before anything else happens. */
record GivenFile(String option, Path path) {
    /** The path, if it can be read. */
    Path readable() {
        if (!Files.exists(path)) {
            throw wrong("no such file");
        }
        if (Files.isDirectory(path)) {
            throw wrong("a folder (expected: a file)");
        }
        if (!Files.isReadable(path)) {
            throw wrong("this user may not read it");
        }
        return path;
    }

    private CommandFailure wrong(String why) {
        return new CommandFailure(ExitCode.USAGE, option + ": " + path + ": " + why);
    }
}
