package io.parley.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpStatus;
import io.parley.proxy.Surroundings;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a static file says of HTTP, once for all of it. */
class HttpOfTheFileTest {
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 11\r\n\r\n",
                "Content-Length: 11\r\n\r\n0123456789a",
                "Transfer-Encoding: chunked\r\n\r\nb\r\n0123456789a\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n8\r\n01234567\r\n8\r\n01234567\r\n0\r\n\r\n"
            })
    void aBodyThatIsTooLargeIsRefused(String rest) throws IOException {
        try (RecordingServer server = server();
                ProxyProgram program = start(server.port(), "maxBody: 10");
                Client client = Client.to(service(program))) {
            assertThat(client.send(POST + rest).readAll())
                    .startsWith("HTTP/1.1 413")
                    .contains("x-parley-error: body-too-large");
        }
    }

    @Test
    void aBodyThatIsJustSmallEnoughPasses() throws IOException {
        try (RecordingServer server = server();
                ProxyProgram program = start(server.port(), "maxBody: 10");
                Client client = Client.to(service(program))) {
            assertThat(client.ask(POST + "Content-Length: 10\r\n\r\n0123456789"))
                    .isEqualTo("ok");
            assertThat(client.ask(POST + "Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n"))
                    .isEqualTo("ok");
        }
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedOverHttp2() throws IOException {
        try (RecordingServer server = server();
                ProxyProgram program = start(server.port(), "maxBody: 10");
                ClientFactory factory = ClientFactory.builder().build()) {
            WebClient client = WebClient.builder(
                            "h2c://127.0.0.1:" + service(program).getPort())
                    .factory(factory)
                    .build();
            assertThat(client.post("/", "0123456789").aggregate().join().status())
                    .isEqualTo(HttpStatus.OK);
            var refused = client.post("/", "0123456789a").aggregate().join();
            assertThat(refused.status()).isEqualTo(HttpStatus.REQUEST_ENTITY_TOO_LARGE);
            assertThat(refused.headers().get("x-parley-error")).isEqualTo("body-too-large");
        }
    }

    @Test
    void openConnectionsFollowTheFile() throws IOException {
        try (RecordingServer server = server();
                ProxyProgram program = start(server.port(), "maxBody: 100");
                Client client = Client.to(service(program))) {
            String small = POST + "Content-Length: 11\r\n\r\n0123456789a";
            assertThat(client.ask(small)).isEqualTo("ok");
            String version = program.proxy().config().version();
            Files.writeString(folder.resolve("proxy.yaml"), file(server.port(), "maxBody: 10"));
            await().until(() -> !program.proxy().config().version().equals(version));
            assertThat(client.send(small).readAll()).startsWith("HTTP/1.1 413");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "headTimeout: 200ms| |408|head-timeout",
                "requestTimeout: 200ms|Content-Length: 5\r\n\r\nab|408|request-timeout",
                "streamIdle: 200ms|Content-Length: 5\r\n\r\nab|408|",
                "streamIdle: 200ms|Connection: close\r\nContent-Length: 2\r\n\r\nab|504|",
                "timeout: 200ms|Connection: close\r\nContent-Length: 2\r\n\r\nab|504|timeout"
            })
    void whatTakesTooLongIsOver(String what) throws IOException {
        String[] parts = what.split("\\|", -1);
        try (Server silent =
                        Server.that(socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()));
                ProxyProgram program = start(silent.port(), parts[0]);
                Client client = Client.to(service(program))) {
            assertThat(client.send(POST + parts[1].strip()).readAll())
                    .startsWith("HTTP/1.1 " + parts[2])
                    .contains("x-parley-error: " + parts[3]);
        }
    }

    @Test
    void whatIsNotUsedForAWhileIsClosed() throws IOException {
        try (RecordingServer server = server();
                ProxyProgram program = start(server.port(), "idle: 200ms");
                Client client = Client.to(service(program))) {
            assertThat(client.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).isEqualTo("ok");
            assertThat(client.readAll()).isEmpty();
        }
    }

    private static RecordingServer server() throws IOException {
        return RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    }

    private ProxyProgram start(int port, String http) throws IOException {
        Path path = Files.writeString(folder.resolve("proxy.yaml"), file(port, http));
        return ProxyProgram.start(
                new ProxyProgram.Options(
                        new Origin.StaticFile(path),
                        new Overrides(null, null, new InetSocketAddress(TestMesh.loopback(), 0), null),
                        1),
                Surroundings.real(),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    }

    private static String file(int port, String http) {
        return """
            accessLog: none
            http: {%s}
            outbound:
              address: 127.0.0.1:0
              destinations: listener
              services:
                - {name: app, port: 7, speaks: http1, listen: "127.0.0.1:0", endpoints: [{address: "127.0.0.1:%d"}]}
            """.formatted(http, port);
    }

    private static InetSocketAddress service(ProxyProgram program) {
        return program.proxy().address("outbound app:7");
    }
}
