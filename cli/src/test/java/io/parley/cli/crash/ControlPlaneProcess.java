package io.parley.cli.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code parley control-plane} as a process of its own, from the distribution that the build made. */
final class ControlPlaneProcess {
    private final Process process;
    private final URI api;
    private final String token;

    private ControlPlaneProcess(Process process, URI api, String token) {
        this.process = process;
        this.api = api;
        this.token = token;
    }

    /** Starts it and waits until it says that it is ready. */
    static ControlPlaneProcess start(Path distribution, Path data, String... options) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        if (Files.exists(distribution.resolve("server.aot"))) {
            command.add("-XX:AOTCache=" + distribution.resolve("server.aot"));
        }
        String classPath = Files.readString(distribution.resolve("classpath")).replace("@", distribution.toString());
        command.addAll(List.of("-cp", classPath, "io.parley.cli.Parley", "control-plane"));
        command.addAll(List.of("--data", data.toString(), "--api", "127.0.0.1:0", "--listen", "127.0.0.1:0"));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        data.resolve("stderr.log").toFile()))
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.contains("ready")) {
                return new ControlPlaneProcess(
                        process,
                        URI.create(Files.readString(data.resolve("api.url")).strip()),
                        Files.readString(data.resolve("admin.token")).strip());
            }
        }
        throw new IOException("the control plane did not start: " + Files.readString(data.resolve("stderr.log")));
    }

    URI api() {
        return api;
    }

    String token() {
        return token;
    }

    /** SIGKILL: the process gets no chance to tidy up. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** SIGTERM, as an init system stops it; returns the exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        return process.waitFor();
    }
}
