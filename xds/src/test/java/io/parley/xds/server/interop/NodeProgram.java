package io.parley.xds.server.interop;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The Node.js client of the tests with its locked packages, installed below {@code target} once. */
final class NodeProgram {
    private static final Path SOURCE = Path.of("src", "test", "node");

    private NodeProgram() {}

    /** Where the program can be run; skips the test, saying why, where that is not possible. */
    static Path install(Path folder) throws IOException, InterruptedException {
        Assumptions.assumeTrue(installed("node") && installed("npm"), "Node.js is missing: install node and npm");
        Files.createDirectories(folder);
        boolean same = true;
        for (String name : List.of("package.json", "package-lock.json", "client.js")) {
            Path copy = folder.resolve(name);
            same &= Files.exists(copy) && Files.mismatch(SOURCE.resolve(name), copy) < 0;
            Files.copy(SOURCE.resolve(name), copy, StandardCopyOption.REPLACE_EXISTING);
        }
        if (!same || !Files.isDirectory(folder.resolve("node_modules"))) {
            Assumptions.assumeTrue(
                    run(folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"),
                    "npm could not fetch the packages of src/test/node, see target/node/npm.log");
        }
        return folder;
    }

    private static boolean installed(String program) {
        return List.of(System.getenv("PATH").split(File.pathSeparator)).stream()
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private static boolean run(Path folder, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("npm.log").toFile())
                .start();
        if (!process.waitFor(3, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }
}
