package io.parley.cli;

import static io.parley.cli.GatewayBed.Request.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.cli.GatewayBed.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agreement 5 the whole way: what a Service declares is what its backend sees. */
class GatewayBackendProtocolTest {
    private static final int CLIENTS = 4;
    private static final int SAME = GatewayBed.freePort();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path data;

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    @BeforeAll
    static void start() {
        bed = new GatewayBed(data);
        bed.service("infra", "v1", "8080", "8081=kubernetes.io/h2c", "8082=kubernetes.io/ws");
        bed.service("infra", "v2", "8080", "8081=kubernetes.io/h2c");
        bed.gateway("same", "- {name: http, port: %d, protocol: HTTP}".formatted(SAME));
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    private static void route(String name, String parent, String rules) {
        bed.apply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: %1$s, namespace: infra}
            spec:
              hostnames: [%1$s.example]
              parentRefs: [{name: %2$s}]
              rules:
            %3$s\
            """.formatted(name, parent, rules.indent(4)));
    }

    @Test
    void httpRouteBackendProtocolH2C() {
        route("h2c", "same", "- backendRefs: [{name: v1, port: 8081}]");

        for (String scheme : new String[] {"h1c", "h2c"}) {
            bed.expect(
                    get(SAME, "h2c.example", "/").in(scheme),
                    answer -> assertThat(GatewayBed.echo(answer).path("proto").asText())
                            .isEqualTo("HTTP/2.0"));
        }
    }

    @Test
    void case04_withoutADeclarationHttp1IsSpoken() {
        route("plain", "same", "- backendRefs: [{name: v1, port: 8080}]");

        for (String scheme : new String[] {"h1c", "h2c"}) {
            bed.expect(
                    get(SAME, "plain.example", "/").in(scheme),
                    answer -> assertThat(GatewayBed.echo(answer).path("proto").asText())
                            .isEqualTo("HTTP/1.1"));
        }
    }

    @Test
    void case12_aSecureWebSocketWithoutAPolicyIs500AndTheStatusSaysWhy() {
        bed.service("infra", "wss", "443=kubernetes.io/wss");
        route("wss", "same", "- backendRefs: [{name: wss, port: 443}]");

        bed.expectStatus(get(SAME, "wss.example", "/"), 500);
        assertThat(bed.conditions("httproutes", "infra", "wss"))
                .containsExactly("Accepted=False/UnsupportedProtocol", "ResolvedRefs=False/UnsupportedProtocol");
        assertThat(bed.parley("explain", "backend", "infra/wss:443").out())
                .contains("HTTPRoute/infra/wss: UnsupportedProtocol", "appProtocol kubernetes.io/wss");
    }

    @Test
    void case26_theShareOfAnInvalidBackendIsAnsweredWith500() {
        route("share", "same", """
            - backendRefs:
                - {name: v1, port: 8080}
                - {name: v2, port: 8081}
                - {name: gone, port: 8080}
            """);
        Request request = get(SAME, "share.example", "/");
        bed.await("served").until(() -> bed.send(request).status().code() != 404);

        Map<Integer, Integer> seen = new TreeMap<>();
        for (int at = 0; at < 30; at++) {
            seen.merge(bed.send(request).status().code(), 1, Integer::sum);
        }
        assertThat(seen).isEqualTo(Map.of(200, 20, 500, 10));
    }

    @Test
    void case27_aFlipUnderLoadCostsNoMoreThanWhatIsUnderWay() throws InterruptedException {
        bed.service("infra", "busy", "80");
        route("busy", "same", "- backendRefs: [{name: busy, port: 80}]");
        Request request = get(SAME, "busy.example", "/");
        bed.expectStatus(request, 200);
        Map<Integer, Integer> seen = new ConcurrentSkipListMap<>();
        AtomicBoolean enough = new AtomicBoolean();
        List<Thread> clients = new ArrayList<>();
        for (int at = 0; at < CLIENTS; at++) {
            clients.add(Thread.ofVirtual().start(() -> {
                while (!enough.get()) {
                    seen.merge(bed.send(request).status().code(), 1, Integer::sum);
                }
            }));
        }
        String[][] flips = {
            {"80=kubernetes.io/h2c", "HTTP/2.0"}, {"80=kubernetes.io/ws", "HTTP/1.1"}, {"80", "HTTP/1.1"}
        };
        for (String[] each : flips) {
            bed.service("infra", "busy", each[0]);
            bed.expect(
                    request,
                    answer -> assertThat(GatewayBed.echo(answer).path("proto").asText())
                            .isEqualTo(each[1]));
        }
        enough.set(true);
        for (Thread client : clients) {
            client.join();
        }
        int failed = seen.entrySet().stream()
                .filter(status -> status.getKey() != 200)
                .mapToInt(Map.Entry::getValue)
                .sum();
        assertThat(failed)
                .as("no more than were under way at a flip: %s", seen)
                .isLessThanOrEqualTo(CLIENTS * flips.length);
    }

    @Test
    void case30_aBackendThatLiesIsTold() throws IOException {
        try (ServerSocket liar = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> speakHttp1(liar));
            bed.endpoints("infra", "liar", liar.getLocalPort(), "80=kubernetes.io/h2c");
            route("liar", "same", "- backendRefs: [{name: liar, port: 80}]");

            bed.expectStatus(get(SAME, "liar.example", "/"), 502);
            bed.await("explained")
                    .untilAsserted(() -> assertThat(bed.parley("explain", "backend", "infra/liar:80")
                                    .out())
                            .contains("HTTPRoute/infra/liar: speaks [h2c]", "seen by same.infra: unusable"));
        }
    }

    private static void speakHttp1(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                client.getOutputStream()
                        .write("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                client.shutdownOutput();
                client.getInputStream().readAllBytes();
            } catch (IOException _) {
                // The test is over, or the gateway went away first.
            }
        }
    }

    @Test
    void case28_theAnswerFollowsTheServiceAlthoughTheRouteDidNotChange() {
        bed.service("infra", "flip", "80");
        route("flip", "same", "- backendRefs: [{name: flip, port: 80}]");
        Request request = get(SAME, "flip.example", "/");
        for (String[] each : new String[][] {
            {"80", "HTTP/1.1"}, {"80=kubernetes.io/h2c", "HTTP/2.0"}, {"80=kubernetes.io/ws", "HTTP/1.1"}
        }) {
            bed.service("infra", "flip", each[0]);
            bed.expect(
                    request,
                    answer -> assertThat(GatewayBed.echo(answer).path("proto").asText())
                            .isEqualTo(each[1]));
        }
        bed.service("infra", "flip", "80=kubernetes.io/foo");
        bed.expectStatus(request, 500);
        bed.service("infra", "flip", "80");
        bed.expectStatus(request, 200);
    }

    @Test
    void httpRouteBackendProtocolWebSocket() throws Exception {
        int port = GatewayBed.freePort();
        bed.gateway("sockets", "- {name: http, port: %d, protocol: HTTP}".formatted(port));
        bed.apply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: sockets, namespace: infra}
            spec:
              parentRefs: [{name: sockets}]
              rules: [{backendRefs: [{name: v1, port: 8082}]}]
            """);
        bed.expectBackend(get(port, "any.example", "/"), "v1");

        for (int at = 0; at < 3; at++) {
            assertThat(echoed(port)).isEqualTo("text and binary");
        }
    }

    private static String echoed(int port) throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        StringBuilder heard = new StringBuilder();
        try (HttpClient client = HttpClient.newHttpClient()) {
            WebSocket socket = client.newWebSocketBuilder()
                    .buildAsync(URI.create("ws://127.0.0.1:" + port + "/ws"), new WebSocket.Listener() {
                        @Override
                        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
                            heard.append(text);
                            return WebSocket.Listener.super.onText(from, text, last);
                        }

                        @Override
                        public CompletionStage<?> onBinary(WebSocket from, ByteBuffer bytes, boolean last) {
                            heard.append(StandardCharsets.UTF_8.decode(bytes));
                            answer.complete(heard.toString());
                            return WebSocket.Listener.super.onBinary(from, bytes, last);
                        }
                    })
                    .get(10, TimeUnit.SECONDS);
            socket.sendText("text and ", true).get(10, TimeUnit.SECONDS);
            socket.sendBinary(ByteBuffer.wrap("binary".getBytes(StandardCharsets.UTF_8)), true)
                    .get(10, TimeUnit.SECONDS);
            String found = answer.get(10, TimeUnit.SECONDS);
            socket.abort();
            return found;
        }
    }
}
