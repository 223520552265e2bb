package io.parley.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.cli.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./parley demo} as a process, with what its tour tells people to type. */
class DemoIT {
    private static final Path LAUNCHER =
            Path.of(System.getProperty("parley.launcher")).toAbsolutePath();
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Test
    void theToursCommandsDoWhatTheySayAndCtrlCLeavesNothingButTheFolder(@TempDir Path folder) throws Exception {
        int first = FreePorts.inARow(5);
        Path seen = folder.resolve("seen.txt");
        Process demo = start(
                folder,
                seen,
                List.of("demo", "--first-port", "" + first, "--api", "127.0.0.1:0", "--listen", "127.0.0.1:0"));
        try {
            await().atMost(PATIENCE)
                    .until(() -> Files.readString(seen).contains("the server spoke before the client did"));
            String tour = Files.readString(seen);
            assertThat(run(folder, tour, "inspect dataplanes")).contains("visitor", "online");
            assertThat(run(folder, tour, "inspect dataplane visitor")).contains("visitor of mesh default");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(run(folder, tour, "explain connection"))
                            .contains("protocol: detect", "learned by visitor: opaque", "its server spoke first"));
            assertThat(run(folder, tour, "explain policy")).contains("policies on Dataplane visitor");
            assertThat(run(folder, tour, "get gateways")).contains("edge");
            assertThat(run(folder, tour, "explain backend")).contains("GRPCRoute/demo/greeter: speaks [h2c]");
            run(folder, tour, "delete meshtrafficpermission");
            await().atMost(PATIENCE).until(() -> Files.readString(seen).contains("a visit failed"));
        } finally {
            new ProcessBuilder("kill", "-INT", "" + demo.pid()).start().waitFor();
            if (!demo.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                demo.destroyForcibly().waitFor();
            }
        }
        // 128 + SIGINT is what a JVM returns after its shutdown hooks ran.
        assertThat(demo.exitValue()).isEqualTo(130);
        assertThat(demo.descendants()).isEmpty();
        for (int port = first; port < first + 5; port++) {
            assertThat(isFree(port)).as("port " + port).isTrue();
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(file -> file.getFileName().toString()).collect(Collectors.toSet()))
                    .isEqualTo(Set.of("parley-demo", "seen.txt", "errors.txt"));
        }
        assertThat(folder.resolve("errors.txt")).content().doesNotContain("Exception");
    }

    private static Process start(Path folder, Path out, List<String> arguments) throws IOException {
        // Whoever runs this in the background has all that it starts ignore Ctrl-C.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT", LAUNCHER.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("errors.txt").toFile());
        builder.environment().put("PARLEY_JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }

    /** Types the line of the tour that begins so, and returns what it prints. */
    private static String run(Path folder, String tour, String beginning) throws IOException, InterruptedException {
        String line = tour.lines()
                .map(String::strip)
                .filter(each -> each.startsWith("./parley " + beginning))
                .findFirst()
                .orElseThrow(() -> new AssertionError(beginning + " is not in " + tour));
        List<String> command =
                new ArrayList<>(List.of(line.replaceFirst(" +#.*", "").split(" +", -1)));
        command.set(0, LAUNCHER.toString());
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("PARLEY_JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(line + "\n" + printed).isZero();
        return printed;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
