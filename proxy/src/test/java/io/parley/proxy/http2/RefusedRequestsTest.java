package io.parley.proxy.http2;

import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.loopback;
import static io.parley.proxy.http2.FramePeer.LAST;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.Http2Error;
import io.parley.proxy.Direction;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Routing;
import io.parley.proxy.exchange.RequestLog;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.proxy.http.Route;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.http2.FramePeer.Message;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.log.AccessLog;
import io.parley.proxy.tcp.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever runs a mesh finds what was refused in the log, with as much of it as could be read, and its client hears why in its own form. */
class RefusedRequestsTest {
    private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    private static final String BEFORE = "DELETE /z HTTP/1.1\r\nHost: z.example\r\n\r\n";

    /** What is done with a proxy that is listening there. */
    private interface Talk {
        void with(InetSocketAddress proxy) throws IOException;
    }

    private final AtomicLong ahead = new AtomicLong();
    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        server = RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    /** The lines that are written meanwhile. Bodies may have ten bytes. */
    private List<String> logged(Version version, Talk talk) throws IOException {
        return logged(version, server.port(), talk);
    }

    private List<String> logged(Version version, int port, Talk talk) throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        AccessLog log = new AccessLog(AccessLog.Format.TEXT, new PrintStream(written, true, UTF_8));
        Surroundings real = Surroundings.real();
        Surroundings surroundings =
                new Surroundings(() -> real.ticker().getAsLong() + ahead.get(), real.clock(), real.chance());
        ListenerConfig listener = new ListenerConfig(
                "outbound",
                Direction.OUTBOUND,
                new InetSocketAddress(loopback(), 0),
                ListenerConfig.Destinations.LISTENER,
                new Routing.Fixed(new OutboundTarget(
                        "app",
                        declared(Protocol.DETECT),
                        "app",
                        HttpProxy.routed(
                                List.of(Route.to("app")), HttpTimeouts.DEFAULT, HttpLimits.DEFAULT.withBody(10)))),
                ListenerConfig.Limits.DEFAULT);
        try (Proxy proxy =
                new Proxy(Transport.best(1), Optional::empty, surroundings, _ -> {}, new RequestLog(CLOCK, log::log))) {
            proxy.apply(config(List.of(listener), HttpProxy.cluster("app", version, port)));
            talk.with(proxy.address("outbound"));
        }
        log.close();
        return written.toString(UTF_8).lines().toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /a?q HTTP/1.1^Host: x^Host: y^^ | method=GET authority=x path=/a status=400 error=host-twice",
                "PUT /a HTTP/1.1^Host: x^Content-Length: 1^Transfer-Encoding: chunked^^"
                        + " | method=PUT authority=x path=/a status=400 error=length-and-coding",
                "PUT /a HTTP/1.1^Host: x^Content-Length: 11^^"
                        + " | method=PUT authority=x path=/a status=413 error=body-too-large",
                "GET /a%2fb HTTP/1.1^Host: x^^ | method=GET authority=x path=\"/a%2fb\" status=400 error=path",
                "GET /a HTTP/2.1^Host: x^^ | method=GET authority=\"\" path=/a status=400 error=version",
                "GET^^ | method=\"\" authority=\"\" path=\"\" status=400 error=method",
                "PUT /a HTTP/1.1~Host: x^^ | method=PUT authority=\"\" path=/a status=400 error=bare-lf",
                "PUT /a HTTP/1.1^X: LONG^^ | method=PUT authority=\"\" path=/a status=431 error=head-too-large",
            })
    void itsLineSaysWhatCouldBeReadOfIt(String head, String told) throws IOException {
        String request = head.strip().replace("^", "\r\n").replace("~", "\n").replace("LONG", "x".repeat(70_000));
        List<String> lines = logged(Version.HTTP1, proxy -> {
            try (Client client = Client.to(proxy)) {
                assertThat(client.ask(BEFORE)).isEqualTo("ok");
                client.send(request).readAll();
            }
        });
        assertThat(lines).hasSize(2);
        assertThat(lines.getLast())
                .contains(" route=none ", told.strip() + " micros=")
                .doesNotContain("z.example", "endpoint=");
    }

    @Test
    void aHeadThatNeverCameToItsEndHasALineAsWell() throws IOException {
        List<String> lines = logged(Version.HTTP1, proxy -> {
            try (Client client = Client.to(proxy);
                    Client other = Client.to(proxy)) {
                assertThat(client.ask(BEFORE)).isEqualTo("ok");
                client.send("GET /slow HTTP/1.1\r\nHost: x.exam");
                // Heads of all clients are read into the same memory.
                assertThat(other.ask("PATCH /a/long/one HTTP/1.1\r\nHost: other.example\r\n\r\n"))
                        .isEqualTo("ok");
                ahead.addAndGet(Duration.ofMinutes(1).toNanos());
                assertThat(client.readAll()).startsWith("HTTP/1.1 408");
            }
        });
        assertThat(lines)
                .hasSize(3)
                .last()
                .asString()
                .contains("method=GET authority=\"\" path=/slow status=408 error=head-timeout");
        assertThat(client(lines.getLast())).isEqualTo(client(lines.getFirst())).isNotEqualTo(client(lines.get(1)));
    }

    private static String client(String line) {
        return line.substring(line.indexOf("client=")).split(" ", 2)[0];
    }

    @Test
    void aCallOfGrpcIsToldByItsStatus() throws IOException {
        List<String> lines = logged(Version.HTTP2, proxy -> {
            try (FramePeer client = FramePeer.client(proxy)) {
                client.open(1, LAST, "POST", "/a.B%2fC", "content-type", "application/grpc", "te", "trailers");
                Message answer = client.message(1);
                assertThat(answer.status()).isEqualTo("200");
                assertThat(answer.heads()).as("the trailers are all there is").hasSize(1);
                assertThat(answer.field("grpc-status")).isEqualTo("13");
                assertThat(answer.field("grpc-message")).isEqualTo("the request was refused: path");
                assertThat(answer.field("x-parley-error")).isEqualTo("path");
            }
        });
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("http=2 method=POST authority=app.example path=\"/a.B%2fC\" status=400 grpc=13 error=path");
    }

    @Test
    void aStreamThatIsResetForItsHeadHasALine() throws IOException {
        List<String> lines = logged(Version.HTTP2, proxy -> {
            try (FramePeer client = FramePeer.client(proxy)) {
                client.open(1, LAST, "GET", "/a", "connection", "close");
                assertThat(client.message(1).reset()).isEqualTo(Http2Error.PROTOCOL_ERROR);
            }
        });
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("http=2 method=GET authority=app.example path=/a status=0 error=connection-field");
    }

    @Test
    void whatIsUnsoundInAHeadIsKeptOutOfTheLog() throws IOException {
        List<String> lines = logged(Version.HTTP2, proxy -> {
            try (FramePeer client = FramePeer.client(proxy)) {
                client.open(1, LAST, "GET", "/a\nstatus=200");
                assertThat(client.message(1).reset()).isEqualTo(Http2Error.PROTOCOL_ERROR);
            }
        });
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("method=GET authority=app.example path=\"\" status=0 error=field-value");
    }

    /** However it comes, and whatever the server speaks. */
    @ParameterizedTest
    @EnumSource(Version.class)
    void aBodyThatGrowsTooLargeIsTooLargeInEachVersion(Version version) throws IOException {
        List<String> lines;
        try (Server quiet =
                Server.that(connection -> connection.getInputStream().transferTo(OutputStream.nullOutputStream()))) {
            lines = logged(version, quiet.port(), RefusedRequestsTest::tooLarge);
        }
        assertThat(lines).hasSize(3).allSatisfy(line -> assertThat(line).contains("status=413 error=body-too-large"));
    }

    private static void tooLarge(InetSocketAddress proxy) throws IOException {
        try (Client client = Client.to(proxy);
                FramePeer other = FramePeer.client(proxy)) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n01234567\r\n");
            client.send("8\r\n01234567\r\n");
            assertThat(client.readAll())
                    .startsWith("HTTP/1.1 413")
                    .contains("x-parley-error: body-too-large")
                    .endsWith("the request was refused: body-too-large\n");
            other.open(1, 0, "POST", "/b");
            other.data(1, 0, "01234567");
            other.data(1, 0, "01234567");
            assertTooLarge(other.message(1));
            other.open(3, 0, "POST", "/c", "content-length", "11");
            assertTooLarge(other.message(3));
        }
    }

    private static void assertTooLarge(Message answer) {
        assertThat(answer.status()).isEqualTo("413");
        assertThat(answer.field("x-parley-error")).isEqualTo("body-too-large");
        assertThat(answer.text()).isEqualTo("the request was refused: body-too-large\n");
    }
}
