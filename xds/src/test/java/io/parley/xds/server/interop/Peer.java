package io.parley.xds.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** A client process and what it printed. */
final class Peer implements AutoCloseable {
    /**
     * A call of a grpc-java client may meet its new route before its balancer knows the route's new cluster; 1.36 and later releases
     * word it differently. A client asks for the cluster only when it has the route, so no order of answers prevents that: it is not held
     * against the server.
     */
    private static final Pattern RACE_OF_THE_CLIENT =
            Pattern.compile("[Uu]nable to find (available subchannel for )?cluster");

    private final String name;
    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private Peer(String name, ProcessBuilder builder) throws IOException {
        this.name = name;
        process = builder.redirectErrorStream(true).start();
        Thread.ofVirtual().name("output of " + name).start(this::read);
    }

    /** A Java client with the jars of one release, copied by the build. */
    static Peer java(String release, Bootstrap bootstrap, Path folder, String... arguments) throws IOException {
        Path jars = Path.of("peers", "grpc-xds-" + release, "target", "lib");
        Assumptions.assumeTrue(
                Files.isDirectory(jars), () -> "no jars of grpc-xds " + release + ": run ./mvnw -pl xds -am verify");
        String classPath = Path.of("target", "test-classes") + File.pathSeparator + jars.resolve("*");
        List<String> command = new java.util.ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-Dio.grpc.netty.shaded.io.netty.noUnsafe=true",
                "-cp",
                classPath,
                GrpcPeer.class.getName()));
        command.addAll(List.of(arguments));
        String name = release + (bootstrap.v3() ? " v3" : " v2");
        return start(name, command, Path.of(""), bootstrap.write(folder, name));
    }

    static Peer start(String name, List<String> command, Path directory, Path bootstrap) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toAbsolutePath().toFile());
        Map<String, String> environment = builder.environment();
        environment.put("GRPC_XDS_BOOTSTRAP", bootstrap.toAbsolutePath().toString());
        return new Peer(name, builder);
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

    /** Waits until the last answer came from this backend. */
    void awaitAnswerOf(String backend) {
        Awaitility.await(name + " is answered by " + backend)
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() ->
                        assertThat(answers()).as("%s printed %s", name, lines).endsWith(backend));
    }

    /** No call failed once the first was answered; before that, a client that the machine starves gives up waiting for us. */
    void assertNoFailure() {
        assertThat(lines.stream().dropWhile(line -> !line.startsWith("OK ")))
                .as(name)
                .noneMatch(line -> line.startsWith("FAIL")
                        && !RACE_OF_THE_CLIENT.matcher(line).find());
    }

    List<String> answers() {
        return lines.stream()
                .filter(line -> line.startsWith("OK "))
                .map(line -> line.substring("OK ".length()))
                .toList();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
}
