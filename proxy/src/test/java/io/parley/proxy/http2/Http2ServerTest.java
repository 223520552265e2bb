package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2CodecUtil.SETTINGS_INITIAL_WINDOW_SIZE;
import static io.parley.proxy.http2.FramePeer.LAST;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Fault;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.http2.FramePeer.Frame;
import io.parley.proxy.http2.FramePeer.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What clients of HTTP/2 can rely on, and what they are refused. */
class Http2ServerTest {
    @Test
    void answersInWhateverOrderTheServerDoes() throws IOException {
        try (Server server = FramePeer.server(peer -> {
                    int first = peer.request();
                    int second = peer.request();
                    for (int stream : new int[] {second, first}) {
                        peer.headers(stream, 0, ":status", "200");
                        peer.data(
                                stream, LAST, peer.message(stream).head().path().toString());
                    }
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/first");
            client.get(3, "/second");
            Frame earliest = client.await(Http2FrameTypes.HEADERS);
            assertThat(earliest.stream()).isEqualTo(3);
            assertThat(client.message(3).text()).isEqualTo("/second");
            assertThat(client.message(1).text()).isEqualTo("/first");
        }
    }

    @Test
    void aFaultTellsAClientOfGrpcTheStatusThatWasAskedFor() throws IOException {
        Fault fault = new Fault(List.of(), null, new Fault.Abort(503, 9, 1_000_000), null);
        Route failing = new Route(
                "r",
                RequestMatch.ANY,
                RouteAction.Forward.to("app"),
                FieldEdits.NONE,
                FieldEdits.NONE,
                new Policies(List.of(fault), null, Map.of(), null));
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy =
                        HttpProxy.routing(List.of(failing), HttpProxy.cluster("app", Version.HTTP1, server.port()));
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "POST", "/", "content-type", "application/grpc");
            assertThat(client.message(1).status()).isEqualTo("200");
            assertThat(client.message(1).field("grpc-status")).isEqualTo("9");
            client.get(3, "/");
            assertThat(client.message(3).status()).isEqualTo("503");
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void sendsNoMoreThanTheClientHasAWindowFor() throws IOException {
        try (RecordingServer server = RecordingServer.answering(
                        _ -> "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n" + "x".repeat(100));
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address(), SETTINGS_INITIAL_WINDOW_SIZE, 10)) {
            client.get(1, "/");
            assertThat(client.await(Http2FrameTypes.DATA).length()).isEqualTo(10);
            client.window(1, 50);
            assertThat(client.await(Http2FrameTypes.DATA).length()).isEqualTo(50);
            client.window(1, 50);
            assertThat(client.message(1).text()).hasSize(100);
        }
    }

    @Test
    void aServerWaitsForAClientThatDoesNotRead() throws IOException {
        AtomicBoolean sent = new AtomicBoolean();
        int length = 32 << 20;
        try (Server server = Server.that(socket -> {
                    socket.getInputStream().read(new byte[1_024]);
                    String head = "HTTP/1.1 200 OK\r\ncontent-length: " + length + "\r\n\r\n";
                    socket.getOutputStream().write(head.getBytes(ISO_8859_1));
                    for (int i = 0; i < length >> 16; i++) {
                        socket.getOutputStream().write(new byte[1 << 16]);
                    }
                    sent.set(true);
                    socket.getInputStream().read();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            assertThat(client.await(Http2FrameTypes.DATA).length()).isPositive();
            await().during(Duration.ofMillis(300)).until(() -> !sent.get());
            client.window(0, length);
            client.window(1, length);
            assertThat(client.message(1).text()).hasSize(length);
        }
    }

    @Test
    void passesTrailersBothWays() throws IOException {
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    Message request = peer.message(stream);
                    peer.headers(stream, 0, ":status", "200", "content-type", "application/grpc");
                    peer.data(stream, 0, request.text() + request.trailers().get("x-sum"));
                    peer.headers(stream, LAST, "grpc-status", "0");
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, 0, "POST", "/a.B/C", "te", "trailers", "content-type", "application/grpc");
            client.data(1, 0, "abc");
            client.headers(1, LAST, "x-sum", "7");
            Message answer = client.message(1);
            assertThat(answer.text()).isEqualTo("abc7");
            assertThat(answer.trailers().get("grpc-status")).hasToString("0");
        }
    }

    @Test
    void aRequestThatIsCalledOffIsCalledOffAtTheServer() throws IOException {
        AtomicBoolean calledOff = new AtomicBoolean();
        try (Server server = FramePeer.server(peer -> {
                    peer.request();
                    peer.await(Http2FrameTypes.RST_STREAM);
                    calledOff.set(true);
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            await().until(() -> proxy.counted("request_total") == 1);
            client.reset(1, Http2Error.CANCEL);
            await().untilTrue(calledOff);
        }
    }

    @Test
    void aRequestThatIsCalledOffEndsItsConnectionOfHttp1() throws IOException {
        AtomicBoolean ended = new AtomicBoolean();
        try (Server server = Server.that(socket -> {
                    socket.getInputStream().read(new byte[1_024]);
                    ended.set(socket.getInputStream().read() < 0);
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            await().until(() -> server.accepted() > 0);
            client.reset(1, Http2Error.CANCEL);
            await().untilTrue(ended);
        }
    }

    @Test
    void anAnswerThatTheServerCutsOffDoesNotLookFinished() throws IOException {
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    peer.headers(stream, 0, ":status", "200");
                    peer.data(stream, 0, "half");
                    peer.reset(stream, Http2Error.INTERNAL_ERROR);
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            assertThat(client.message(1).reset()).isEqualTo(Http2Error.INTERNAL_ERROR);
            assertThat(proxy.errors("cut-off")).isEqualTo(1);
        }
    }

    @Test
    void refusesMoreRequestsAtATimeThanItAllows() throws IOException {
        try (Server server = FramePeer.server(FramePeer::drain);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            for (int i = 0; i <= 100; i++) {
                client.get(2 * i + 1, "/" + i);
            }
            assertThat(client.message(201).reset()).isEqualTo(Http2Error.REFUSED_STREAM);
        }
    }

    /** RFC 9113 5.1.2: what it was told at the beginning holds. */
    @Test
    void aLimitThatIsLoweredIsForConnectionsThatComeLater() throws IOException {
        try (Server server = FramePeer.server(FramePeer::drain);
                HttpProxy proxy = HttpProxy.with(
                        HttpProxy.routed(List.of(Route.to("app"))),
                        HttpProxy.cluster("app", Version.HTTP2, server.port()));
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            await().until(() -> proxy.counted("request_total") == 1);
            proxy.apply(
                    HttpProxy.routed(
                            List.of(Route.to("app")),
                            HttpTimeouts.DEFAULT,
                            new HttpLimits(8_192, 60 * 1_024, 100, 0, 1)),
                    HttpProxy.cluster("app", Version.HTTP2, server.port()));
            client.get(3, "/");
            await().until(() -> proxy.counted("request_total") == 2);
            try (FramePeer later = FramePeer.client(proxy.address())) {
                later.get(1, "/");
                later.get(3, "/");
                assertThat(later.message(3).reset()).isEqualTo(Http2Error.REFUSED_STREAM);
            }
        }
    }

    @Test
    void c22_refusesHeadsThatAreTooLarge() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/" + "a".repeat(9 * 1_024));
            assertThat(client.message(1).status()).isEqualTo("414");
            String[] many = new String[202];
            for (int i = 0; i < many.length; i += 2) {
                many[i] = "x-" + i;
                many[i + 1] = "y";
            }
            client.open(3, LAST, "GET", "/", many);
            assertThat(client.message(3).reset()).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertThat(proxy.abuses("too-many-fields")).isEqualTo(1);
            assertThat(server.requests()).isEmpty();
            client.get(5, "/ok");
            assertThat(client.message(5).status()).isEqualTo("200");
        }
    }

    @Test
    void refusesBodiesThatAreTooLarge() throws IOException {
        HttpLimits small = new HttpLimits(8_192, 60 * 1_024, 100, 10, 100);
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.with(
                        HttpProxy.routed(List.of(Route.to("app")), HttpTimeouts.DEFAULT, small),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()));
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, 0, "POST", "/");
            client.data(1, 0, "0123456789a");
            assertThat(client.message(1).status()).isEqualTo("413");
            client.open(3, 0, "POST", "/");
            client.data(3, LAST, "0123456789");
            assertThat(client.message(3).status()).isEqualTo("200");
        }
    }

    /** Heads that would be something else if they were written as HTTP/1. */
    static Stream<List<String>> c4_downgrades() {
        return Stream.of(c4_lines(), c4_framing(), c4_fields()).flatMap(List::stream);
    }

    private static List<List<String>> c4_lines() {
        return List.of(
                List.of("GET", "/a b"),
                List.of("GET", "/a\r\nx: y"),
                List.of("GET", "/a#b"),
                List.of("GET", "a"),
                List.of("GET", "*"),
                List.of("GET", "http://x/"),
                List.of("GET /x HTTP/1.1\r\n", "/"),
                List.of("G ET", "/"),
                List.of("CONNECT", "/"),
                List.of("connect", "/"),
                List.of("GET", ""),
                List.of("", "/"),
                List.of("GET", "/\u0000"),
                List.of("GET", "//\u007f"));
    }

    private static List<List<String>> c4_framing() {
        return List.of(
                List.of("GET", "/", ":late", "b"),
                List.of("GET", "/", "a", "b", ":path", "/c"),
                List.of("GET", "/", ":path", "/c"),
                List.of("GET", "/", "host", "other.example"),
                List.of("GET", "/", "host", "app.example", "host", "app.example"),
                List.of("GET", "/", ":authority", "x"),
                List.of("GET", "/", "content-length", "5"),
                List.of("GET", "/", "content-length", "-1"),
                List.of("GET", "/", "content-length", "0", "content-length", "1"),
                List.of("GET", "/", "content_length", "5"),
                List.of("GET", "/", "content-length", "5, 5"),
                List.of("GET", "/", "content-length", "+0"),
                List.of("GET", "/", "host", "app.example\r\nx: y"),
                List.of("GET", "/", ":scheme", "https"),
                List.of("GET", "/", ":method", "POST"),
                List.of("GET", "/", ":status", "200"));
    }

    private static List<List<String>> c4_fields() {
        return List.of(
                List.of("GET", "/", "transfer-encoding", "chunked"),
                List.of("GET", "/", "connection", "keep-alive"),
                List.of("GET", "/", "keep-alive", "1"),
                List.of("GET", "/", "proxy-connection", "x"),
                List.of("GET", "/", "upgrade", "h2c"),
                List.of("GET", "/", "te", "gzip"),
                List.of("GET", "/", "a", "b\r\nc: d"),
                List.of("GET", "/", "a", "b\nc"),
                List.of("GET", "/", "a", "b\u0000"),
                List.of("GET", "/", "a b", "c"),
                List.of("GET", "/", "a:b", "c"),
                List.of("GET", "/", "a\r\nb", "c"),
                List.of("GET", "/", "A", "b"),
                List.of("GET", "/", "", "b"),
                List.of("GET", "/", "a", "b\u007f"),
                List.of("GET", "/", "x_forwarded_for", "1.2.3.4"),
                List.of("GET", "/", "te", "trailers, gzip"),
                List.of("GET", "/", "a\tb", "c"),
                List.of("GET", "/", "a\u0080", "c"));
    }

    @ParameterizedTest
    @MethodSource
    void c4_downgrades(List<String> request) throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            String[] more = request.subList(2, request.size()).toArray(String[]::new);
            client.open(1, LAST, request.get(0), request.get(1), more);
            assertThat(client.message(1).reset()).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertThat(server.requests()).isEmpty();
        }
    }

    /** Fields that would count as ones of the head at a server of HTTP/1 that puts trailers there. */
    static List<List<String>> c4_trailers() {
        return List.of(
                List.of("content-length", "0"),
                List.of("transfer-encoding", "chunked"),
                List.of("host", "other.example"),
                List.of("authorization", "x"),
                List.of("cookie", "a=b"),
                List.of("x-forwarded-for", "1.2.3.4"),
                List.of("l5d-client-id", "somebody"),
                List.of("x_sum", "3"),
                List.of(":path", "/other"),
                List.of("a", "b\r\nc: d"));
    }

    @ParameterizedTest
    @MethodSource
    void c4_trailers(List<String> trailers) throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, 0, "POST", "/");
            client.data(1, 0, "abc");
            client.headers(1, LAST, trailers.toArray(String[]::new));
            assertThat(client.message(1).reset()).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void contentOfAnotherLengthThanWasSaidIsNoRequest() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            for (String content : List.of("abc", "abcde")) {
                try (FramePeer client = FramePeer.client(proxy.address())) {
                    client.open(1, 0, "POST", "/", "content-length", "4");
                    client.data(1, LAST, content);
                    assertThat(client.message(1).reset()).isEqualTo(Http2Error.PROTOCOL_ERROR);
                }
            }
            assertThat(server.requests()).noneMatch(request -> request.contains("\r\n\r\nabcd"));
        }
    }
}
