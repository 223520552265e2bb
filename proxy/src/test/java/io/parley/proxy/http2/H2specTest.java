package io.parley.proxy.http2;

import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.open;
import static io.parley.proxy.app.TestMesh.redirected;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.parley.proxy.app.Server;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.Protocol;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The conformance suite of HTTP/2 and HPACK against listeners. A plugin's jar brings the program. */
class H2specTest {
    private static final String ARCHIVE = "/h2spec/2.2.0/h2spec_linux_amd64.tar.gz";

    @TempDir
    private Path folder;

    /** The server waits for the end of a request: one that is answered before is reset, whatever a case sends after it. */
    @Test
    void c20_theInboundListenerPassesAllCases() throws IOException, InterruptedException {
        try (Server server = FramePeer.echo();
                TestMesh mesh = new TestMesh()) {
            int port = mesh.start(SERVER, config(List.of(redirected(server.port(), open(Protocol.HTTP2)))))
                    .address("redirected")
                    .getPort();
            assertPasses(port);
        }
    }

    /** In strict mode, which counts what a server should do as if it must. */
    private void assertPasses(int port) throws IOException, InterruptedException {
        assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "h2spec comes as a program for Linux on x86-64 only");
        String report = run(program(), "-S", "-h", "127.0.0.1", "-p", Integer.toString(port), "-o", "10");
        assertThat(report).contains("146 tests, 146 passed, 0 skipped, 0 failed");
    }

    private Path program() throws IOException, InterruptedException {
        Path archive = folder.resolve("h2spec.tar.gz");
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream(ARCHIVE), ARCHIVE)) {
            Files.copy(in, archive);
        }
        run(Path.of("tar"), "-xzf", archive.toString(), "-C", folder.toString());
        return folder.resolve("h2spec");
    }

    private static String run(Path program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new java.util.ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return output;
    }
}
