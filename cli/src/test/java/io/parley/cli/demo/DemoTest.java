package io.parley.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parley.cli.FreePorts;
import io.parley.control.app.HostPort;
import io.parley.store.StoreException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a newcomer sees it. */
class DemoTest {
    private static final HostPort ANY = HostPort.parse("127.0.0.1:0");

    @Test
    void aPortThatSomebodyHasIsNamedAtOnce(@TempDir Path folder) throws Exception {
        int first = FreePorts.inARow(Demo.PORTS);
        try (ServerSocket _ = new ServerSocket(first + 2, 1, InetAddress.getLoopbackAddress())) {
            var settings = new Demo.Settings(folder.resolve("demo"), ANY, ANY, first);

            assertThatThrownBy(() -> Demo.start(settings, new PrintWriter(new StringWriter())))
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + (first + 2))
                    .hasMessageContaining("--first-port");
            assertThat(folder.resolve("demo")).doesNotExist();
        }
    }

    @Test
    void itsFolderAndTokensAreItsOwnersAndASecondDemoLeavesThemAlone(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("demo");
        try (Demo _ = Demo.start(
                new Demo.Settings(data, ANY, ANY, FreePorts.inARow(Demo.PORTS)), new PrintWriter(new StringWriter()))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                    .isEqualTo("rwx------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("web.token"))))
                    .isEqualTo("rw-------");
            byte[] authority = Files.readAllBytes(data.resolve("ca.pem"));
            var second = new Demo.Settings(data, ANY, ANY, FreePorts.inARow(Demo.PORTS));

            assertThatThrownBy(() -> Demo.start(second, new PrintWriter(new StringWriter())))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("is in use by");
            assertThat(data.resolve("ca.pem")).hasBinaryContent(authority);
        }
    }

    @Test
    void showsWhatEachOfTheFourServicesAgreedOnAndNoVisitFails(@TempDir Path folder) throws Exception {
        StringWriter seen = new StringWriter();
        var settings = new Demo.Settings(folder.resolve("demo"), ANY, ANY, FreePorts.inARow(Demo.PORTS));
        Demo demo = Demo.start(settings, new PrintWriter(seen, true));
        Thread running = Thread.ofVirtual().start(() -> {
            try {
                demo.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(seen.toString())
                            .containsPattern("visitor +-> web +http1 +declared")
                            .containsPattern("visitor +-> greeter +grpc +declared")
                            .containsPattern("visitor +-> chat +http1 +declared")
                            .containsPattern("visitor +-> mail +opaque +the server spoke before the client did")
                            .containsPattern("somebody +-> gateway +http1")
                            .containsPattern("somebody +-> gateway +http2")
                            .containsPattern("web +-> its application .*mutual TLS from spiffe://default/visitor"));
            assertThat(seen.toString()).doesNotContain("failed");
        } finally {
            demo.close();
            running.join();
        }
    }
}
