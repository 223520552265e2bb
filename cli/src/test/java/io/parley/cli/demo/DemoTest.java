package io.parley.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.cli.FreePorts;
import io.parley.control.app.HostPort;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a newcomer sees it. */
class DemoTest {
    @Test
    void showsWhatEachOfTheFourServicesAgreedOnAndNoVisitFails(@TempDir Path folder) throws Exception {
        StringWriter seen = new StringWriter();
        HostPort any = HostPort.parse("127.0.0.1:0");
        var settings = new Demo.Settings(folder.resolve("demo"), any, any, FreePorts.inARow(5));
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
