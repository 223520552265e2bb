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
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
