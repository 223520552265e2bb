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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code ./parley control-plane} as a process of its own: the launcher becomes it. */
final class ControlPlaneProcess {
    private static final Path LAUNCHER =
            Path.of(System.getProperty("parley.launcher")).toAbsolutePath();

    /** What it prints once it is ready. */
    private static final Pattern MACHINE_PORT = Pattern.compile("zones connect to port ([0-9]+)");

    private final Process process;
    private final URI api;
    private final String token;
    private final int machinePort;

    private ControlPlaneProcess(Process process, URI api, String token, int machinePort) {
        this.process = process;
        this.api = api;
        this.token = token;
        this.machinePort = machinePort;
    }

    /** Starts it and waits until it says that it is ready. */
    static ControlPlaneProcess start(Path data, String... options) throws IOException {
        return startAt(0, data, options);
    }

    /** The same, with a port for machines that stays the same over its lives. */
    static ControlPlaneProcess startAt(int machinePort, Path data, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(LAUNCHER.toString(), "control-plane"));
        command.addAll(List.of("--data", data.toString(), "--api", "127.0.0.1:0"));
        command.addAll(List.of("--listen", "127.0.0.1:" + machinePort));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        data.resolve("stderr.log").toFile()));
        builder.environment().put("PARLEY_JAVA_HOME", System.getProperty("java.home"));
        // None of these processes lives long enough to earn what the second compiler costs.
        builder.environment()
                .put(
                        "PARLEY_JAVA_OPTIONS",
                        "-XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=10 -XX:+UnlockDiagnosticVMOptions"
                                + " -XX:-AOTReplayTraining");
        builder.environment().put("PARLEY_SKIP_BUILD", "yes");
        Process process = builder.start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher port = MACHINE_PORT.matcher(line);
            if (port.find()) {
                return new ControlPlaneProcess(
                        process,
                        URI.create(Files.readString(data.resolve("api.url")).strip()),
                        Files.readString(data.resolve("admin.token")).strip(),
                        Integer.parseInt(port.group(1)));
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

    /** Where zones and proxies connect. */
    int machinePort() {
        return machinePort;
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
