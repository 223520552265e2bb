package io.parley.proxy.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteTable;
import io.parley.proxy.http.VirtualHost;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients of HTTP/1.0. */
class OldVersionTest {
    private static final String LONG_ANSWER =
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";

    private static HttpProxy proxy(int port, String... hosts) {
        HttpConfig plain = HttpProxy.routed(List.of());
        VirtualHost host = new VirtualHost("host", List.of(hosts), List.of(Route.to("app")), Policies.NONE);
        HttpConfig config = new HttpConfig(
                plain.name(),
                new RouteTable("routes", List.of(host)),
                plain.policies(),
                plain.timeouts(),
                plain.limits(),
                plain.paths(),
                plain.forwarding(),
                0,
                plain.telling());
        return HttpProxy.with(config, HttpProxy.cluster("app", Version.HTTP1, port));
    }

    private static String ask(HttpProxy proxy, String request) throws IOException {
        try (Client client = Client.to(proxy.address())) {
            return client.send(request).readAll();
        }
    }

    /** It names no host: what is for certain hosts only is not for it (RFC 9112 3.2 asks for a Host of HTTP/1.1 alone). */
    @Test
    void oneThatNamesNoHostGoesWhereAllHostsGo() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy all = proxy(server.port(), "*");
                HttpProxy some = proxy(server.port(), "app.example", "*.example")) {
            assertThat(ask(all, "GET / HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200");
            assertThat(server.requests().getLast()).startsWith("GET / HTTP/1.1\r\nhost: \r\n");
            assertThat(ask(some, "GET / HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 404");
            assertThat(ask(some, "GET / HTTP/1.0\r\nHost: app.example\r\n\r\n")).startsWith("HTTP/1.1 200");
            assertThat(server.requests().getLast()).contains("host: app.example\r\n");
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void itsConnectionEndsUnlessItAsksForMore() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                Client client = Client.to(proxy.address())) {
            String kept = "HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok";
            for (int i = 0; i < 2; i++) {
                client.send("GET / HTTP/1.0\r\nHost: x\r\nConnection: Keep-Alive\r\n\r\n");
                assertThat(client.read(kept.length())).isEqualTo(kept);
            }
            assertThat(client.send("GET / HTTP/1.0\r\nHost: x\r\n\r\n").readAll())
                    .contains("connection: close\r\n")
                    .endsWith("ok");
        }
    }

    /** It knows no chunks: only the end of the connection can say where such an answer ends. */
    @Test
    void itsConnectionEndsWithAnAnswerOfUnknownLength() throws IOException {
        try (RecordingServer server = RecordingServer.answering(_ -> LONG_ANSWER);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            assertThat(ask(proxy, "GET / HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"))
                    .isEqualTo("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nabc");
        }
    }

    /** RFC 9110 7.8. */
    @Test
    void itCannotSwitchToAnotherProtocol() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            String request = String.join(
                    "\r\n",
                    "GET / HTTP/1.0",
                    "Host: x",
                    "Connection: Upgrade",
                    "Upgrade: websocket",
                    "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                    "",
                    "");
            assertThat(ask(proxy, request)).startsWith("HTTP/1.1 200");
            assertThat(server.requests().getFirst()).doesNotContain("upgrade");
        }
    }
}
