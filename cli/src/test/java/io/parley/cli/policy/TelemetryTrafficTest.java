package io.parley.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.parley.cli.policy.Collector.Seen;
import io.parley.cli.policy.Shop.Policy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What policies have proxies tell of traffic, and what nobody tells without them. */
class TelemetryTrafficTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    @SuppressWarnings("NullAway.Init")
    private static Shop shop;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path logs;

    @BeforeAll
    static void open(@TempDir Path folder) throws IOException {
        shop = new Shop(folder);
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** The first line that begins so, after as much traffic as it takes. */
    private static String line(Path file, String begin, Callable<?> traffic) {
        return await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(
                        () -> {
                            var _ = traffic.call();
                            return lines(file).stream()
                                    .filter(line -> line.startsWith(begin))
                                    .findFirst()
                                    .orElse("");
                        },
                        line -> !line.isEmpty());
    }

    @Test
    void meshAccessLogWritesRequestsOfBothSidesInItsOwnFormat() throws IOException {
        Path sent = logs.resolve("sent.log");
        Path received = logs.resolve("received.json");
        try (Policy _ = shop.apply("MeshAccessLog", """
            targetRef: {kind: Mesh}
            to:
              - targetRef: {kind: MeshService, name: orders}
                default:
                  backends:
                    - type: File
                      file:
                        path: %s
                        format:
                          type: Plain
                          plain: '%%KUMA_SOURCE_SERVICE%%->%%KUMA_DESTINATION_SERVICE%% %%REQ(:METHOD)%% %%REQ(:PATH)%% %%RESPONSE_CODE%% %%BYTES_SENT%% %%PROTOCOL%%'
            from:
              - targetRef: {kind: Mesh}
                default:
                  backends:
                    - type: File
                      file:
                        path: %s
                        format:
                          type: Json
                          omitEmptyValues: true
                          json:
                            - {key: code, value: "%%RESPONSE_CODE%%"}
                            - {key: caller, value: "%%KUMA_SOURCE_SERVICE%%"}
                            - {key: id, value: "%%REQ(X-REQUEST-ID)%%"}
            """.formatted(sent, received))) {
            assertThat(line(sent, "web->orders", () -> shop.get("/logged?a=b")))
                    .isEqualTo("web->orders GET /logged?a=b 200 1 HTTP/1.1");
            assertThat(line(received, "{", () -> shop.get("/logged")))
                    .contains("\"code\":200", "\"caller\":\"spiffe://default/web\"")
                    .doesNotContain("\"id\"");
        }
    }

    @Test
    void meshAccessLogWritesConnectionsInTheUsualFormat() {
        Path file = logs.resolve("ledger.log");
        try (Policy _ = shop.apply("MeshAccessLog", """
            targetRef: {kind: MeshService, name: web}
            to:
              - targetRef: {kind: MeshService, name: ledger}
                default: {backends: [{type: File, file: {path: %s}}]}
            """.formatted(file))) {
            assertThat(line(file, "[", TelemetryTrafficTest::book))
                    .containsPattern("^\\[20.*Z] - default 127.0.0.1\\(web\\)->127.0.0.1:\\d+\\(ledger\\)"
                            + " took \\d+ms, sent 5 bytes, received: 5 bytes$");
        }
    }

    private static byte[] book() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), shop.ledgerPort())) {
            socket.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().readNBytes(5);
        }
    }

    private record Hop(Seen client, Seen server) {}

    /** Two spans, the one below the other. */
    private static Optional<Hop> hop(Collector collector) {
        return collector.spans.stream()
                .flatMap(client -> collector.spans.stream()
                        .filter(server -> server.parent().equals(client.span()))
                        .map(server -> new Hop(client, server)))
                .findFirst();
    }

    @Test
    void meshTraceMakesASpanInEachProxyOfOneTrace() {
        try (Collector collector = new Collector()) {
            assertThat(shop.get("/").statusCode()).isEqualTo(200);
            try (Policy _ = shop.apply("MeshTrace", """
                targetRef: {kind: Mesh}
                default:
                  backends: [{type: OpenTelemetry, openTelemetry: {endpoint: "localhost:%d"}}]
                  tags: [{name: team, literal: core}, {name: who, header: {name: x-who, default: nobody}}]
                """.formatted(collector.port()))) {
                await().atMost(PATIENCE).until(() -> {
                    shop.get("/traced", "traceparent", "00-" + TRACE + "-b7ad6b7169203331-01", "x-who", "me");
                    return hop(collector).isPresent();
                });
                Hop hop = hop(collector).orElseThrow();
                Seen client = hop.client();
                Seen server = hop.server();
                assertThat(client.service()).isEqualTo("web");
                assertThat(client.parent()).isEqualTo("b7ad6b7169203331");
                assertThat(server.service()).isEqualTo("orders");
                assertThat(server.trace()).isEqualTo(client.trace()).isEqualTo(TRACE);
                assertThat(client.kind()).isEqualTo(SpanKind.SPAN_KIND_CLIENT);
                assertThat(server.kind()).isEqualTo(SpanKind.SPAN_KIND_SERVER);
                assertThat(server.attribute("team")).isEqualTo("core");
                assertThat(server.attribute("who")).isEqualTo("me");
                assertThat(server.attribute("url.path")).isEqualTo("/traced");
            }
        }
    }
}
