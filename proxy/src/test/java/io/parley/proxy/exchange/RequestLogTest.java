package io.parley.proxy.exchange;

import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.open;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.redirected;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.log.AccessLog;
import io.parley.proxy.tcp.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One line for each request, whatever a client puts into it. */
class RequestLogTest {
    private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    /** The lines about these requests, sent one after the other on one connection to a server or, without a port, to nobody. */
    private static List<String> lines(AccessLog.Format format, int port, String... requests) throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        AccessLog log = new AccessLog(format, new PrintStream(written, true, UTF_8));
        try (Proxy proxy = new Proxy(
                Transport.best(1), Optional::empty, Surroundings.real(), _ -> {}, new RequestLog(CLOCK, log::log))) {
            proxy.apply(config(
                    List.of(outbound("app", declared(Protocol.HTTP1))), HttpProxy.cluster("app", Version.HTTP1, port)));
            try (Client client = Client.to(proxy.address("outbound"))) {
                for (String request : requests) {
                    client.ask(request);
                }
            }
        }
        log.close();
        return written.toString(UTF_8).lines().toList();
    }

    @Test
    void tellsWhatWasAskedAndWhatBecameOfIt() throws IOException {
        try (RecordingServer server =
                RecordingServer.answering(_ -> "HTTP/1.1 201 Made\r\ncontent-length: 2\r\n\r\nok")) {
            List<String> lines = lines(
                    AccessLog.Format.TEXT,
                    server.port(),
                    "GET /a?token=secret HTTP/1.1\r\nHost: x.example\r\nTraceparent: " + TRACE + "\r\n\r\n",
                    "PUT /b HTTP/1.1\r\nHost: x.example\r\n\r\n");
            assertThat(lines).hasSize(2);
            assertThat(lines.getFirst())
                    .startsWith(
                            "time=1970-01-01T00:00:00Z direction=outbound target=app route=default client=127.0.0.1:")
                    .contains(" http=1 method=GET authority=x.example path=/a status=201 endpoint=127.0.0.1:"
                            + server.port() + " micros=")
                    .endsWith(" trace=" + TRACE)
                    .doesNotContain("secret");
            assertThat(lines.getLast())
                    .contains("method=PUT")
                    .contains("path=/b")
                    .doesNotContain("trace=");
        }
    }

    @Test
    void tellsOfWhomTrustedProxiesTellAndWhoTheLastOfThemIs() throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        AccessLog log = new AccessLog(AccessLog.Format.TEXT, new PrintStream(written, true, UTF_8));
        try (RecordingServer server = RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
                Proxy proxy = new Proxy(
                        Transport.best(1),
                        Optional::empty,
                        Surroundings.real(),
                        _ -> {},
                        new RequestLog(CLOCK, log::log))) {
            InboundPort edge = new InboundPort(
                    declared(Protocol.HTTP1),
                    open(Protocol.HTTP1).authorization(),
                    HttpConfig.simple("edge", "", Forwarding.EDGE).behind(1));
            proxy.apply(config(List.of(redirected(server.port(), edge))));
            try (Client client = Client.to(proxy.address("redirected"))) {
                client.ask("GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.10\r\n\r\n");
            }
            assertThat(server.requests().getFirst())
                    .containsIgnoringCase("x-forwarded-for: 203.0.113.10, 127.0.0.1\r\n");
        }
        log.close();
        assertThat(written.toString(UTF_8)).contains(" client=203.0.113.10:0 via=127.0.0.1:");
    }

    @Test
    void tellsWhyTheProxyAnsweredItself() throws IOException {
        int nobody;
        try (RecordingServer gone = RecordingServer.ok()) {
            nobody = gone.port();
        }
        assertThat(lines(AccessLog.Format.JSON, nobody, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
                .singleElement()
                .asString()
                .contains("\"status\":503,\"error\":\"unreachable\"");
    }

    /** Names of hosts come from clients: nothing that is counted may have them for a label. */
    @Test
    void c38_aHundredThousandHostsAreOneSeries() throws IOException {
        int hosts = 100_000;
        Route own = Routes.route(new RouteAction.Respond(204, ""));
        try (HttpProxy proxy =
                        HttpProxy.with(HttpProxy.routed(List.of(own)), HttpProxy.cluster("app", Version.HTTP1, 1));
                Client client = Client.to(proxy.address())) {
            StringBuilder requests = new StringBuilder();
            String answer = "HTTP/1.1 204 No Content\r\n\r\n";
            for (int i = 1; i <= hosts; i++) {
                requests.append("GET / HTTP/1.1\r\nHost: h").append(i).append(".example\r\n\r\n");
                if (i % 200 == 0) {
                    assertThat(client.send(requests.toString()).read(200 * answer.length()))
                            .endsWith(answer);
                    requests.setLength(0);
                }
            }
            assertThat(proxy.counted("request_total")).isEqualTo(hosts);
            assertThat(proxy.series("request_total")).isLessThanOrEqualTo(2);
            assertThat(proxy.metrics()).doesNotContain(".example");
        }
    }

    @Test
    void c38_oneRequestIsOneLineWhateverIsInIt() throws IOException {
        try (RecordingServer server =
                RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")) {
            String odd = "GET /\"a\"%0d%0a{} HTTP/1.1\r\nHost: x\r\nTraceparent: \"}\t\u00ff\\,status=1\r\n\r\n";
            for (AccessLog.Format format : AccessLog.Format.values()) {
                List<String> lines = lines(format, server.port(), odd);
                assertThat(lines).hasSize(1);
                assertThat(lines.getFirst()).doesNotContain("\t").contains("\\\"}");
            }
        }
    }
}
