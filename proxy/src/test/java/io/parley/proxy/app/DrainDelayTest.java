package io.parley.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.Surroundings;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.listen.Proxy;
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

/** Between being told to end and draining: who sends connections here is still served, and told not to. */
class DrainDelayTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String TOKEN = "open-sesame";

    @TempDir
    Path folder;

    @Test
    void itIsNotReadyAndServesAsBefore() throws Exception {
        try (Server server = Server.echo();
                ProxyProgram program = start(server.port(), LONG);
                Logged logged = Logged.by(ProxyProgram.class)) {
            InetSocketAddress service = service(program);
            try (Client before = Client.to(service)) {
                assertThat(before.send("before").read(6)).isEqualTo("before");
                assertThat(ask(program, "GET /ready")).startsWith("HTTP/1.1 200");
                assertThat(drain(program)).startsWith("HTTP/1.1 202");
                await().until(() -> ask(program, "GET /ready").startsWith("HTTP/1.1 503"));
                try (Client after = Client.to(service)) {
                    assertThat(after.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).startsWith("GET / HTTP/1.1\r\n");
                }
                assertThat(before.send("still").read(5)).isEqualTo("still");
            }
            assertThat(logged.lines()).singleElement().asString().contains("told to end", "draining in 10m");
        }
    }

    @Test
    void whoTellsItAgainDoesNotWait() throws Exception {
        try (Server server = Server.echo();
                ProxyProgram program = start(server.port(), LONG);
                Logged logged = Logged.by(Proxy.class)) {
            assertThat(drain(program)).startsWith("HTTP/1.1 202");
            await().until(() -> ask(program, "GET /ready").startsWith("HTTP/1.1 503"));
            assertThat(logged.lines()).isEmpty();
            assertThat(drain(program)).startsWith("HTTP/1.1 202");
            program.stop();
            assertThat(logged.lines()).containsExactly("draining, 0 connections open, for at most 30 s", "drained");
        }
    }

    @Test
    void whoClosesItDoesNotWait() throws Exception {
        try (Server server = Server.echo()) {
            ProxyProgram program = start(server.port(), LONG);
            Thread waiting = Thread.ofVirtual().start(program::stop);
            await().until(() -> program.proxy().isLeaving());
            program.close();
            waiting.join();
            assertThatThrownBy(() -> Client.to(program.adminAddress())).isInstanceOf(IOException.class);
        }
    }

    @Test
    void itDrainsWhenTheDelayIsOver() throws Exception {
        Duration delay = Duration.ofMillis(300);
        try (Server server = Server.echo();
                ProxyProgram program = start(server.port(), delay);
                Logged logged = Logged.by(Proxy.class)) {
            long before = System.nanoTime();
            program.stop();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(delay);
            assertThat(logged.lines()).containsExactly("draining, 0 connections open, for at most 30 s", "drained");
        }
    }

    private ProxyProgram start(int port, Duration delay) throws IOException {
        Path file = Files.writeString(folder.resolve("proxy.yaml"), """
            accessLog: none
            outbound:
              address: 127.0.0.1:0
              destinations: listener
              services:
                - {name: app, port: 7, listen: "127.0.0.1:0", endpoints: [{address: "127.0.0.1:%d"}]}
            """.formatted(port));
        Overrides overrides = new Overrides(null, null, new InetSocketAddress(TestMesh.loopback(), 0), null)
                .administered(Files.writeString(folder.resolve("admin.token"), TOKEN + "\n"))
                .drainingAfter(delay);
        return ProxyProgram.start(
                new ProxyProgram.Options(new Origin.StaticFile(file), overrides, 1),
                Surroundings.real(),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    }

    private static InetSocketAddress service(ProxyProgram program) {
        return program.proxy().address("outbound app:7");
    }

    private static String drain(ProxyProgram program) throws IOException {
        return ask(program, "POST /drain");
    }

    private static String ask(ProxyProgram program, String request) throws IOException {
        try (Client client = Client.to(program.adminAddress())) {
            client.send(request + " HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer " + TOKEN
                    + "\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            return client.readAll();
        }
    }
}
