package io.parley.bench.xds;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;

/** A server in its own JVM, so that its CPU time and its heap are its own. */
final class ServerProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final Writer commands;
    private final int port;

    ServerProcess(String subject) throws IOException {
        process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx4g",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerProgram.class.getName(),
                        subject))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader();
        commands = process.outputWriter();
        port = Integer.parseInt(line());
    }

    int port() {
        return port;
    }

    void change(int cluster, int port) {
        ask("change " + cluster + ' ' + port);
    }

    long cpuNanos() {
        return Long.parseLong(ask("cpu"));
    }

    long heapBytes() {
        return Long.parseLong(ask("heap"));
    }

    private String ask(String command) {
        try {
            commands.write(command + '\n');
            commands.flush();
            return line();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String line() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the server ended");
        }
        return line;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
