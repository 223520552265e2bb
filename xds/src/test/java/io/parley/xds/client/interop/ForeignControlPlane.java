package io.parley.xds.client.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** A control plane that we did not write, in a process of its own with the libraries of its own time. */
final class ForeignControlPlane implements AutoCloseable {
    private final Process process;
    private final Writer input;
    private final int port;

    ForeignControlPlane(String peer) throws IOException {
        Path folder = Path.of("peers", peer).toAbsolutePath();
        Path jars = folder.resolve("target/lib");
        Assumptions.assumeTrue(Files.isDirectory(jars), () -> "no jars of " + peer + ": run ./mvnw -pl xds -am verify");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        process = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        jars + "/*",
                        folder.resolve("ControlPlane.java").toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        input = process.outputWriter(UTF_8);
        try (BufferedReader output = process.inputReader(UTF_8)) {
            String line = output.readLine();
            if (line == null) {
                throw new IOException(peer + " did not start (expected: a line with its port)");
            }
            port = Integer.parseInt(line);
        }
    }

    int port() {
        return port;
    }

    /** Publishes one endpoint of this address, and all that leads to it, under this version. */
    void publish(String version, String address) throws IOException {
        input.write(version + " " + address + "\n");
        input.flush();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
