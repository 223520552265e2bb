package io.parley.cli.proxyless;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** A program of others that calls a service by xDS without a pause and prints who answers; the programs are those of the xds module's tests. */
final class GrpcProgram implements AutoCloseable {
    private static final Path XDS = Path.of("..", "xds");

    /** The client's own, whatever a server does: see the xds module's {@code Peer}. */
    private static final Pattern RACE_OF_THE_CLIENT =
            Pattern.compile("[Uu]nable to find (available subchannel for )?cluster");

    private final String name;
    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private GrpcProgram(String name, Path directory, Path bootstrap, List<String> command) throws IOException {
        this.name = name;
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment()
                .put("GRPC_XDS_BOOTSTRAP", bootstrap.toAbsolutePath().toString());
        process = builder.start();
        Thread.ofVirtual().name("output of " + name).start(this::read);
    }

    /** With the jars of one release of grpc-java. */
    static GrpcProgram java(String release, Path bootstrap, Path token, String target) throws IOException {
        Path jars = XDS.resolve(Path.of("peers", "grpc-xds-" + release, "target", "lib"));
        Path classes = XDS.resolve(Path.of("target", "test-classes"));
        Assumptions.assumeTrue(
                Files.isDirectory(jars) && Files.isDirectory(classes),
                () -> "no jars of grpc-xds " + release + ": run ./mvnw -pl cli -am verify");
        String classPath = String.join(
                File.pathSeparator,
                classes.toString(),
                Path.of("target", "test-classes").toString(),
                jars + "/*");
        return new GrpcProgram(
                release,
                Path.of("").toAbsolutePath(),
                bootstrap,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-Dio.grpc.netty.shaded.io.netty.noUnsafe=true",
                        "-D" + MeshCredentials.TOKEN_FILE + "=" + token.toAbsolutePath(),
                        "-cp",
                        classPath,
                        "io.parley.xds.server.interop.GrpcPeer",
                        "client",
                        target));
    }

    /** With the packages that the xds module's tests have installed. */
    static GrpcProgram js(Path bootstrap, String target) throws IOException {
        Path folder = XDS.resolve(Path.of("target", "node"));
        Assumptions.assumeTrue(
                Files.isDirectory(folder.resolve("node_modules")),
                "no packages of grpc-js-xds: install node and npm, then run ./mvnw -pl xds -am verify");
        return new GrpcProgram("grpc-js", folder.toAbsolutePath(), bootstrap, List.of("node", "client.js", target));
    }

    private void read() {
        try (BufferedReader reader = process.inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("output ended: " + e);
        } catch (UncheckedIOException e) {
            lines.add("output ended: " + e.getCause());
        }
    }

    String name() {
        return name;
    }

    /** Waits until the last answer came from this server. */
    void awaitAnswerOf(String server) {
        Awaitility.await(name + " is answered by " + server)
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() ->
                        assertThat(answers()).as("%s printed %s", name, lines).endsWith(server));
    }

    /** No call failed once the first was answered. */
    void assertNoFailure() {
        assertThat(lines.stream().dropWhile(line -> !line.startsWith("OK ")))
                .as(name)
                .noneMatch(line -> line.startsWith("FAIL")
                        && !RACE_OF_THE_CLIENT.matcher(line).find());
    }

    private List<String> answers() {
        List<String> answers = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("OK ")) {
                answers.add(line.substring("OK ".length()));
            }
        }
        return answers;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
}
