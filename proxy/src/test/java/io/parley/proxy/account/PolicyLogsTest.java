package io.parley.proxy.account;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.loopback;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.Direction;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Raw;
import io.parley.proxy.config.Routing;
import io.parley.proxy.http.Telling;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.log.LineFormat;
import io.parley.proxy.log.LogConfig;
import io.parley.proxy.log.LogConfig.Place;
import io.parley.proxy.log.RecordBody;
import io.parley.proxy.log.Template;
import io.parley.proxy.log.Template.Absence;
import io.parley.resource.Result;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that configuration asks for, through real connections. */
class PolicyLogsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static Template template(String text) {
        return switch (Template.parse(text)) {
            case Result.Accepted<Template>(var template) -> template;
            case Result.Rejected<Template>(var violations) -> throw new AssertionError(violations.toString());
        };
    }

    private Path file() {
        return folder.resolve("access.log");
    }

    private LogConfig lines(String format) {
        return new LogConfig.Lines(
                new Place.File(file().toString()), new LineFormat.Text(template(format + "\n"), Absence.SHOWN));
    }

    private List<String> written(int count) throws IOException {
        await().atMost(PATIENCE)
                .until(() -> Files.exists(file()) && Files.readAllLines(file()).size() >= count);
        return Files.readAllLines(file());
    }

    @Test
    void aRequestIsALineInTheFormThatWasAskedFor() throws IOException {
        LogConfig log = lines(String.join(
                " ",
                "%REQ(:METHOD)% %REQ(X-NO?:PATH)% %PROTOCOL% %RESPONSE_CODE% %RESPONSE_FLAGS%",
                "%BYTES_RECEIVED%/%BYTES_SENT% %RESP(X-KIND)% %UPSTREAM_CLUSTER% %UPSTREAM_HOST%",
                "[%REQ(USER-AGENT)%]"));
        String pieces = "3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n";
        try (RecordingServer server = RecordingServer.answering(request -> request.startsWith("GET /pieces")
                        ? "HTTP/1.1 200 OK\r\nx-kind: a\r\ntransfer-encoding: chunked\r\n\r\n" + pieces
                        : "HTTP/1.1 201 Made\r\ncontent-length: 2\r\n\r\nok");
                HttpProxy proxy = HttpProxy.telling(
                        Telling.of(List.of(log), null), HttpProxy.cluster("app", Version.HTTP1, server.port()));
                Client client = Client.to(proxy.address())) {
            String host = " app 127.0.0.1:" + server.port();
            client.ask("POST /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nUser-Agent: \"x\"\t\r\n\r\nhello");
            client.send("GET /pieces HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    .readAll();
            assertThat(written(2))
                    .containsExactly(
                            "POST /a?b=c HTTP/1.1 201 - 5/2 -" + host + " [\\\"x\\\"]",
                            "GET /pieces HTTP/1.1 200 - 0/7 a" + host + " [-]");
        }
    }

    @Test
    void whatTheProxyAnswersItselfIsALineToo() throws IOException {
        int nobody;
        try (RecordingServer gone = RecordingServer.ok()) {
            nobody = gone.port();
        }
        try (HttpProxy proxy = HttpProxy.telling(
                        Telling.of(List.of(lines("%RESPONSE_CODE% %RESPONSE_FLAGS% %RESPONSE_CODE_DETAILS%")), null),
                        HttpProxy.cluster("app", Version.HTTP1, nobody));
                Client client = Client.to(proxy.address())) {
            client.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(written(1)).containsExactly("503 UF unreachable");
        }
    }

    @Test
    void aChangeHoldsForTheNextRequestOnTheSameConnection() throws IOException {
        try (RecordingServer server =
                RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")) {
            ClusterConfig app = HttpProxy.cluster("app", Version.HTTP1, server.port());
            try (HttpProxy proxy = HttpProxy.telling(Telling.NOTHING, app);
                    Client client = Client.to(proxy.address())) {
                client.ask("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
                proxy.tell(Telling.of(List.of(lines("%REQ(:PATH)%")), null), app);
                client.ask("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(written(1)).containsExactly("/b");
            }
        }
    }

    @Test
    void aConnectionThatIsNotHttpIsALine() throws IOException {
        Raw raw = new Raw(null, List.of(lines("%BYTES_RECEIVED% %BYTES_SENT% %UPSTREAM_CLUSTER% %REQ(:PATH)%")));
        try (Server echo = Server.echo();
                TestMesh mesh = new TestMesh()) {
            Proxy proxy = mesh.start(
                    CLIENT,
                    TestMesh.config(
                            List.of(new ListenerConfig(
                                    "outbound",
                                    Direction.OUTBOUND,
                                    new InetSocketAddress(loopback(), 0),
                                    ListenerConfig.Destinations.LISTENER,
                                    new Routing.Fixed(
                                            new OutboundTarget("db", declared(Protocol.OPAQUE), "db", null, raw)),
                                    ListenerConfig.Limits.DEFAULT)),
                            HttpProxy.cluster("db", Version.HTTP1, echo.port())));
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.send("hello").read(5)).isEqualTo("hello");
            }
            assertThat(written(1)).containsExactly("5 5 db -");
        }
    }

    @Test
    void aCollectorGetsARecordForEachRequest() throws IOException {
        LogConfig log = new LogConfig.Records(
                new LogConfig.Origin("collector", Map.of("service.name", "web")),
                new RecordBody.Members(List.of(
                        new RecordBody.Member("took", new RecordBody.Text(template("%REQ(:METHOD)% took %DURATION%"))),
                        new RecordBody.Member(
                                "agents",
                                new RecordBody.Items(List.of(new RecordBody.Text(template("%REQ(user-agent)%"))))))),
                List.of(new LineFormat.Member("code", template("%RESPONSE_CODE%"))));
        try (FakeCollector collector = new FakeCollector();
                RecordingServer server =
                        RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
                HttpProxy proxy = HttpProxy.telling(
                        Telling.of(List.of(log), null),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()),
                        HttpProxy.cluster("collector", Version.HTTP2, collector.port()));
                Client client = Client.to(proxy.address())) {
            client.ask("GET / HTTP/1.1\r\nHost: x\r\nUser-Agent: me\r\n\r\n");
            await().atMost(PATIENCE).until(() -> !collector.records.isEmpty());
            var body = collector.records.getFirst().getBody().getKvlistValue();
            assertThat(body.getValues(0).getKey()).isEqualTo("took");
            assertThat(body.getValues(0).getValue().getStringValue()).startsWith("GET took ");
            assertThat(body.getValues(1).getValue().getArrayValue().getValues(0).getStringValue())
                    .isEqualTo("me");
            assertThat(collector.records.getFirst().getAttributes(0).getValue().getStringValue())
                    .isEqualTo("200");
        }
    }
}
