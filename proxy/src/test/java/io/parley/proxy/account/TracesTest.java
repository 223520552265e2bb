package io.parley.proxy.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Telling;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.trace.TraceConfig;
import io.parley.proxy.trace.TraceConfig.Collector;
import io.parley.proxy.trace.TraceConfig.Sampling;
import io.parley.proxy.trace.TraceConfig.Tag;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Traces through real connections: what a server is told, and what a collector gets. */
class TracesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final Pattern PARENT =
            Pattern.compile("(?i)traceparent: 00-([0-9a-f]{32})-([0-9a-f]{16})-0([01])\r\n");
    private static final Sampling NOTHING = new Sampling(Sampling.ALL, 0, 0);

    private FakeCollector collector;
    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        collector = new FakeCollector();
        server = RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        collector.close();
    }

    private HttpProxy proxy(Sampling sampling, Collector to, Tag... tags) {
        return HttpProxy.telling(
                Telling.of(List.of(), new TraceConfig(to, "web", sampling, List.of(tags))),
                HttpProxy.cluster("app", Version.HTTP1, server.port()),
                HttpProxy.cluster(
                        "collector", to instanceof Collector.Otlp ? Version.HTTP2 : Version.HTTP1, collector.port()));
    }

    private HttpProxy proxy(Sampling sampling, Tag... tags) {
        return proxy(sampling, new Collector.Otlp("collector"), tags);
    }

    /** The head that the server saw when this was asked. */
    private String seen(HttpProxy proxy, String request) throws IOException {
        try (Client client = Client.to(proxy.address())) {
            client.ask(request);
        }
        return server.requests().getLast();
    }

    private static Matcher parent(String head) {
        Matcher found = PARENT.matcher(head);
        assertThat(found.find()).as(head).isTrue();
        return found;
    }

    private static Map<String, String> attributes(Span span) {
        return span.getAttributesList().stream()
                .collect(Collectors.toMap(
                        KeyValue::getKey,
                        attribute -> attribute.getValue().hasIntValue()
                                ? Long.toString(attribute.getValue().getIntValue())
                                : attribute.getValue().getStringValue()));
    }

    private Span span() {
        await().atMost(PATIENCE).until(() -> !collector.spans.isEmpty());
        return collector.spans.getFirst();
    }

    private static String hex(com.google.protobuf.ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    @Test
    void aTraceGoesOnThroughTheProxy() throws IOException {
        try (HttpProxy proxy = proxy(
                NOTHING,
                new Tag.Literal("team", "core"),
                new Tag.Field("env", "x-env", "prod"),
                new Tag.Field("who", "x-who", "nobody"),
                new Tag.Field("absent", "x-absent", null))) {
            Matcher told = parent(seen(
                    proxy,
                    "GET /a?secret=1 HTTP/1.1\r\nHost: orders:81\r\nTraceparent: 00-" + TRACE
                            + "-b7ad6b7169203331-01\r\nTracestate: a=1\r\nX-Who: me\r\nUser-Agent: test\r\n\r\n"));
            assertThat(server.requests().getLast()).containsIgnoringCase("tracestate: a=1\r\n");
            Span span = span();
            assertThat(hex(span.getTraceId())).isEqualTo(TRACE).isEqualTo(told.group(1));
            assertThat(hex(span.getSpanId())).isEqualTo(told.group(2)).isNotEqualTo("b7ad6b7169203331");
            assertThat(hex(span.getParentSpanId())).isEqualTo("b7ad6b7169203331");
            assertThat(span.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
            assertThat(span.getName()).isEqualTo("GET");
            assertThat(span.getEndTimeUnixNano()).isGreaterThan(span.getStartTimeUnixNano());
            assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
            assertThat(attributes(span))
                    .containsEntry("http.request.method", "GET")
                    .containsEntry("http.response.status_code", "200")
                    .containsEntry("url.full", "http://orders:81/a")
                    .containsEntry("server.address", "orders")
                    .containsEntry("server.port", "81")
                    .containsEntry("network.protocol.version", "1.1")
                    .containsEntry("network.peer.port", Integer.toString(server.port()))
                    .containsEntry("user_agent.original", "test")
                    .containsEntry("team", "core")
                    .containsEntry("env", "prod")
                    .containsEntry("who", "me")
                    .doesNotContainKeys("absent", "error.type");
        }
    }

    @Test
    void aBadContextIsReplacedByANewTrace() throws IOException {
        try (HttpProxy proxy = proxy(Sampling.EVERYTHING)) {
            Matcher told = parent(seen(
                    proxy,
                    "GET / HTTP/1.1\r\nHost: x\r\nTraceparent: 00-" + TRACE
                            + "-0000000000000000-01\r\nTracestate: a=1\r\n\r\n"));
            assertThat(told.group(1)).isNotEqualTo(TRACE);
            assertThat(told.group(3)).isEqualTo("1");
            assertThat(server.requests().getLast()).doesNotContainIgnoringCase("tracestate");
            assertThat(span().getParentSpanId().isEmpty()).isTrue();
            assertThat(hex(span().getSpanId())).isEqualTo(told.group(2));
        }
    }

    @Test
    void whatIsNotSampledIsPassedOnAsSuch() throws IOException {
        try (HttpProxy proxy = proxy(NOTHING)) {
            String came = "GET / HTTP/1.1\r\nHost: x\r\nTraceparent: 00-" + TRACE + "-b7ad6b7169203331-00\r\n\r\n";
            assertThat(seen(proxy, came)).isEqualTo(came);
            assertThat(parent(seen(proxy, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")).group(3))
                    .isEqualTo("0");
            assertThat(collector.spans).isEmpty();
        }
    }

    @Test
    void aFailureOfTheProxyIsAnError() throws IOException {
        server.close();
        try (HttpProxy proxy = proxy(Sampling.EVERYTHING);
                Client client = Client.to(proxy.address())) {
            client.ask("BREW / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(span().getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
            assertThat(span().getName()).isEqualTo("HTTP");
            assertThat(attributes(span()))
                    .containsEntry("http.request.method", "_OTHER")
                    .containsEntry("http.request.method_original", "BREW")
                    .containsEntry("error.type", "unreachable")
                    .containsEntry("http.response.status_code", "503");
        }
    }

    @Test
    void whatACollectorRefusesIsSentAgain() throws IOException {
        collector.refusals.set(2);
        try (HttpProxy proxy = proxy(Sampling.EVERYTHING)) {
            seen(proxy, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            await().atMost(PATIENCE).until(() -> proxy.counted("telemetry_sent_total", "kind=\"span\"") == 1);
            assertThat(collector.spans).hasSize(1);
        }
    }

    private static long dropped(HttpProxy proxy, String cause) {
        return proxy.counted("telemetry_dropped_total", "kind=\"span\"", "cause=\"" + cause + '"');
    }

    @Test
    void withoutACollectorSpansAreCountedAndRequestsAnswered() throws IOException {
        collector.close();
        try (HttpProxy proxy = proxy(Sampling.EVERYTHING);
                Client client = Client.to(proxy.address())) {
            // A slow machine gives the proxy time to drop batches that nobody takes, so it is asked until there is no
            // room.
            int asked = 0;
            while (dropped(proxy, "queue-full") == 0 && asked < 100_000) {
                for (int i = 0; i < 500; i++, asked++) {
                    assertThat(client.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n")).isEqualTo("ok");
                }
            }
            assertThat(dropped(proxy, "queue-full")).isPositive();
            await().atMost(PATIENCE).until(() -> dropped(proxy, "not-taken") > 0);
        }
    }

    @Test
    void zipkinGetsItsJson() throws IOException {
        try (HttpProxy proxy =
                proxy(Sampling.EVERYTHING, new Collector.Zipkin("collector", "zipkin:9411", "/api/v2/spans"))) {
            Matcher told = parent(seen(proxy, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
            await().atMost(PATIENCE).until(() -> !collector.documents.isEmpty());
            assertThat(collector.documents.getFirst())
                    .startsWith("[{\"traceId\":\"" + told.group(1) + "\",\"id\":\"" + told.group(2) + "\",")
                    .contains("\"localEndpoint\":{\"serviceName\":\"web\"}");
        }
    }
}
