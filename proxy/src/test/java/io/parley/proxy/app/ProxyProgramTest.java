package io.parley.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.Surroundings;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.config.file.StaticConfig.AccessLogFormat;
import io.parley.proxy.listen.Proxy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proxy as a program, with its file, admin page and access log. */
class ProxyProgramTest {
    private static final String TOKEN = "open-sesame";

    @TempDir
    Path folder;

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @Test
    void servesTellsAndLogs() throws Exception {
        try (Server server = Server.echo();
                ProxyProgram program = start(file(server.port(), "a.example"))) {
            InetSocketAddress service = program.proxy().address("outbound a.example:80");
            try (Client client = Client.to(service)) {
                assertThat(client.ask("GET / HTTP/1.1\r\nhost: a\r\n\r\n")).startsWith("GET / HTTP/1.1\r\n");
                assertThat(page(program, "/connections").body())
                        .contains("\"protocol\" : \"http1\"")
                        .contains("its first bytes are an HTTP/1 request line");
            }
            assertThat(page(program, "/ready").statusCode()).isEqualTo(200);
            assertThat(page(program, "/live").body()).isEqualTo("live\n");
            assertThat(page(program, "/time").body())
                    .containsPattern("whole request +1 ")
                    .containsPattern("event loop 0 came late by +[0-9]")
                    .contains("heap ", "requests in flight 0, overload fine");
            assertThat(page(program, "/time.json").body())
                    .contains("\"head of the answer\" : {", "\"count\" : 1", "\"waiting\" : 0");
            assertThat(page(program, "/config_dump").body()).contains("\"name\" : \"a.example:80\"");
            await().untilAsserted(() -> assertThat(page(program, "/metrics").body())
                    .contains("tcp_read_bytes_total{direction=\"outbound\",peer=\"src\",tls=\"no_identity\","
                            + "no_tls_reason=\"loopback\",target=\"a.example:80\"} 27")
                    .contains(
                            "tcp_protocol_connections_total{direction=\"outbound\",protocol=\"http1\",rule=\"detected\"}"
                                + " 1")
                    .contains("tcp_close_total{direction=\"outbound\""));
            assertThat(page(program, "/nothing").statusCode()).isEqualTo(404);
            assertThat(page(program, "/drain").statusCode()).isEqualTo(405);
        }
        assertThat(log.toString(StandardCharsets.UTF_8))
                .contains("direction=outbound")
                .contains("because=\"its first bytes are an HTTP/1 request line\"")
                .contains("method=GET authority=a path=/ status=200")
                .hasLineCount(2);
    }

    @Test
    void logsNothingIfTheCommandLineSaysSo() throws Exception {
        try (Server server = Server.echo();
                ProxyProgram program = start(file(server.port(), "a.example"), AccessLogFormat.NONE)) {
            try (Client client = Client.to(program.proxy().address("outbound a.example:80"))) {
                assertThat(client.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).startsWith("GET /");
            }
            await().until(() -> program.proxy().machinery().sessions().list().isEmpty());
        }
        assertThat(log.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void followsItsFileAndKeepsTheLastGoodOne() throws Exception {
        try (Server server = Server.echo();
                ProxyProgram program = start(file(server.port(), "a.example"))) {
            Files.writeString(folder.resolve("proxy.yaml"), file(server.port(), "b.example"));
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(program.proxy()
                                    .address("outbound b.example:80")
                                    .getPort())
                            .isPositive());
            assertThatThrownBy(() -> program.proxy().address("outbound a.example:80"))
                    .isInstanceOf(IllegalArgumentException.class);
            Files.writeString(folder.resolve("proxy.yaml"), "outbound: 17\n");
            await().pollDelay(java.time.Duration.ofMillis(1500))
                    .untilAsserted(() -> assertThat(program.proxy()
                                    .address("outbound b.example:80")
                                    .getPort())
                            .isPositive());
        }
    }

    @Test
    void refusesToStartWithEverythingThatIsWrong() {
        assertThatThrownBy(() -> start("outbound: 17\nx: 1\n"))
                .isInstanceOf(ProxyProgram.ConfigException.class)
                .hasMessageContaining("outbound: 17")
                .hasMessageContaining("x: ");
    }

    @Test
    void drainsWhenToldTo() throws Exception {
        try (Server server = Server.echo();
                ProxyProgram program = start(file(server.port(), "a.example"))) {
            try (Client client = Client.to(program.proxy().address("outbound a.example:80"))) {
                assertThat(client.send("hello").read(5)).isEqualTo("hello");
                assertThat(drain(program, "Bearer wrong")).isEqualTo(403);
                assertThat(drain(program, "Bearer " + TOKEN)).isEqualTo(202);
                await().until(() -> page(program, "/ready").statusCode() == 503);
                assertThat(client.send("more").read(4)).isEqualTo("more");
            }
        }
    }

    /** As a process does whose end is asked for by {@code POST /drain}: its shutdown hook comes after that. */
    @Test
    void drainsOnceHoweverOftenItIsToldToStop() throws Exception {
        try (Server server = Server.echo();
                ProxyProgram program = start(file(server.port(), "a.example"));
                Logged logged = Logged.by(Proxy.class)) {
            Thread first;
            Thread second;
            try (Client client = Client.to(program.proxy().address("outbound a.example:80"))) {
                assertThat(client.send("hello").read(5)).isEqualTo("hello");
                first = Thread.ofVirtual().start(program::stop);
                await().until(() -> logged.lines().contains("draining, 1 connections open, for at most 30 s"));
                second = Thread.ofVirtual().start(program::stop);
            }
            second.join();
            assertThatThrownBy(() -> Client.to(program.adminAddress())).isInstanceOf(IOException.class);
            first.join();
            program.stop();
            assertThat(logged.lines()).containsExactly("draining, 1 connections open, for at most 30 s", "drained");
        }
    }

    @Test
    void aForeignHostNameIsNotAnswered() throws Exception {
        try (Server server = Server.echo();
                ProxyProgram program = start(file(server.port(), "a.example"));
                Client client = Client.to(program.adminAddress())) {
            client.send("GET /metrics HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n");
            assertThat(client.readAll()).startsWith("HTTP/1.1 421");
        }
    }

    /** Being on this machine makes nobody an administrator. */
    private static int drain(ProxyProgram program, String authorization) throws Exception {
        HttpRequest drain = HttpRequest.newBuilder(uri(program, "/drain"))
                .header("authorization", authorization)
                .POST(BodyPublishers.noBody())
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(drain, BodyHandlers.ofString()).statusCode();
        }
    }

    private ProxyProgram start(String file) throws IOException {
        return start(file, null);
    }

    private ProxyProgram start(String file, @Nullable AccessLogFormat format) throws IOException {
        Path path = Files.writeString(folder.resolve("proxy.yaml"), file);
        Overrides overrides = new Overrides(
                        null, null, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null)
                .logging(format)
                .administered(Files.writeString(folder.resolve("admin.token"), TOKEN + "\n"));
        return ProxyProgram.start(
                new ProxyProgram.Options(new Origin.StaticFile(path), overrides, 1),
                Surroundings.real(),
                new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    private static String file(int port, String name) {
        return """
            outbound:
              address: 127.0.0.1:0
              destinations: listener
              services:
                - {name: %s, port: 80, listen: "127.0.0.1:0", endpoints: [{address: "127.0.0.1:%d"}]}
            """.formatted(name, port);
    }

    private static HttpResponse<String> page(ProxyProgram program, String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(uri(program, path)).build(), BodyHandlers.ofString());
        }
    }

    private static URI uri(ProxyProgram program, String path) {
        return URI.create("http://127.0.0.1:" + program.adminAddress().getPort() + path);
    }
}
