package io.parley.store;

import java.util.ArrayList;
import java.util.List;

/** The command that runs a main class of this test run in a process of its own. */
public final class JavaProgram {
    private JavaProgram() {}

    public static List<String> command(Class<?> main, String... arguments) {
        var command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                // A process that is killed leaves the driver's native library behind: where the build's own things are.
                "-Dorg.sqlite.tmpdir="
                        + System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir", "")),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
