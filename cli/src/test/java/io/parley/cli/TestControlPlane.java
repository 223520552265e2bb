package io.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.control.app.ControlPlane;
import io.parley.control.app.ControlPlaneConfig;
import io.parley.control.app.HostPort;
import io.parley.control.app.Mode;
import io.parley.control.app.StoreChoice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A control plane in this process, used as people use one: by commands. */
public final class TestControlPlane implements AutoCloseable {
    /** What a command left behind. */
    public record Result(int exit, String out, String err) {}

    private final Path data;
    private final ControlPlane controlPlane;
    private final AtomicInteger files = new AtomicInteger();

    private TestControlPlane(Path data, ControlPlane controlPlane) {
        this.data = data;
        this.controlPlane = controlPlane;
    }

    public static TestControlPlane start(Path data) {
        return start(data, new Mode.Standalone());
    }

    public static TestControlPlane start(Path data, Mode mode) {
        return start(data, mode, 0, new StoreChoice.Memory());
    }

    /** One that finds what another has left in the same folder, on a port that machines know. */
    public static TestControlPlane startLasting(Path data, int port) {
        return start(data, new Mode.Standalone(), port, new StoreChoice.Sqlite());
    }

    private static TestControlPlane start(Path data, Mode mode, int port, StoreChoice store) {
        return new TestControlPlane(
                data,
                ControlPlane.start(new ControlPlaneConfig(
                        data,
                        HostPort.parse("127.0.0.1:0"),
                        HostPort.parse("127.0.0.1:" + port),
                        null,
                        store,
                        List.of(),
                        null,
                        null,
                        mode)));
    }

    public Path data() {
        return data;
    }

    public Path caFile() {
        return controlPlane.caFile();
    }

    URI apiUrl() {
        return controlPlane.apiUrl();
    }

    /** Where machines speak to it. */
    public int port() {
        return controlPlane.machinePort();
    }

    public Result parley(String... args) {
        return run(Map.of("PARLEY_DATA", data.toString()), args);
    }

    public static Result run(Map<String, String> environment, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = Parley.run(
                environment,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
        return new Result(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    public void apply(String yaml) {
        Result result = tryToApply(yaml);
        assertThat(result.exit()).as(result.err() + "\n" + yaml).isZero();
    }

    public Result tryToApply(String yaml) {
        try {
            Path file = Files.writeString(data.resolve("manifest-" + files.getAndIncrement() + ".yaml"), yaml);
            return parley("apply", "-f", file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        controlPlane.close();
    }
}
