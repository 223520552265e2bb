package io.parley.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.Surroundings;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.telemetry.FailureLog;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Endpoints of a static file that have a name and no address. */
class NamedEndpointsTest {
    /** In capitals, since {@code localhost} itself is an address here. */
    private static final String HERE = "LOCALHOST";

    /** RFC 6761 section 6.4: nobody has such a name. Where there is no network it may take a while until that is known. */
    private static final String NOBODY = "parley.invalid";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void aNameIsLookedUpWhenItIsDialled() throws IOException {
        try (Server server = Server.echo();
                ProxyProgram program = start(HERE + ":" + server.port(), "127.0.0.1:0")) {
            try (Client bytes = Client.to(service(program))) {
                assertThat(bytes.send("hello").read(5)).isEqualTo("hello");
            }
            try (Client requests = Client.to(service(program))) {
                assertThat(requests.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).startsWith("GET / HTTP/1.1\r\n");
            }
        }
    }

    @Test
    void aNameThatNobodyHasIsAnEndpointThatCannotBeReached() throws IOException {
        try (Logged logged = Logged.by(FailureLog.class);
                ProxyProgram program = start(NOBODY + ":5432", "127.0.0.1:0")) {
            try (Client requests = Client.to(service(program))) {
                requests.socket().setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
                requests.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                assertThat(requests.readAll()).startsWith("HTTP/1.1 503").doesNotContain(NOBODY);
            }
            try (Client bytes = Client.to(service(program))) {
                bytes.socket().setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
                assertThatThrownBy(() -> bytes.send("hello").read(1)).isInstanceOf(IOException.class);
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(logged.lines())
                            .anyMatch(line -> line.contains("no address of " + NOBODY) && line.contains("requests to"))
                            .anyMatch(line -> line.contains(NOBODY + ":5432: no address of " + NOBODY)));
        }
    }

    @Test
    void aNameThatLeadsBackToTheProxyIsNotDialled() throws IOException {
        int port = TestMesh.freePort();
        try (Logged logged = Logged.by(FailureLog.class);
                ProxyProgram program = start(HERE + ":" + port, "127.0.0.1:" + port)) {
            try (Client bytes = Client.to(service(program))) {
                assertThatThrownBy(() -> bytes.send("hello").read(1)).isInstanceOf(IOException.class);
            }
            await().untilAsserted(() -> assertThat(logged.lines())
                    .anyMatch(line -> line.contains("127.0.0.1:" + port + " would come back to this proxy")));
            await().until(() -> program.proxy().machinery().sessions().count() == 0);
        }
    }

    private ProxyProgram start(String endpoint, String listen) throws IOException {
        Path file = Files.writeString(folder.resolve("proxy.yaml"), """
            accessLog: none
            outbound:
              address: 127.0.0.1:0
              destinations: listener
              services:
                - {name: app, port: 7, listen: "%s", endpoints: [{address: "%s"}]}
            """.formatted(listen, endpoint));
        return ProxyProgram.start(
                new ProxyProgram.Options(
                        new Origin.StaticFile(file),
                        new Overrides(null, null, new InetSocketAddress(TestMesh.loopback(), 0), null),
                        1),
                Surroundings.real(),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    }

    private static InetSocketAddress service(ProxyProgram program) {
        return program.proxy().address("outbound app:7");
    }
}
