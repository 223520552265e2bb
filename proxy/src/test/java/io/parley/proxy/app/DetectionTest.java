package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.TIMEOUTS;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.meshed;
import static io.parley.proxy.app.TestMesh.open;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.plain;
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.app.TestMesh.strict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.Direction;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Raw;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.listen.Proxy;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a proxy finds out what a connection carries, seen from outside. */
class DetectionTest {
    /** Pauses of a client mean nothing, however long a busy machine makes them. */
    private static final Timeouts PATIENT = new Timeouts(
            TIMEOUTS.serverFirstGrace(),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            TIMEOUTS.header(),
            TIMEOUTS.handshake(),
            TIMEOUTS.connect(),
            TIMEOUTS.idle(),
            TIMEOUTS.drain());

    private final TestMesh mesh = new TestMesh();

    @AfterEach
    void close() {
        mesh.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nhost: a\r\n\r\n",
                "*1\r\n$4\r\nPING\r\n",
                "EHLO a.example\r\n",
                // PostgreSQL's SSLRequest, and Kafka's ApiVersions.
                "\0\0\0\10\4\u00d2\u0016/",
                "\0\0\0\24\0\22\0\0\0\0\0\1\0\12client"
            })
    void everySplitOfAFirstFlightArrivesWhole(String flight) throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = start(plain(server.port()), Protocol.DETECT, TIMEOUTS);
            for (int cut = 1; cut < flight.length(); cut++) {
                try (Client client = Client.to(proxy.address("outbound"))) {
                    client.send(flight.substring(0, cut));
                    String rest = flight.substring(cut);
                    String back = flight.startsWith("GET ")
                            ? client.ask(rest)
                            : client.send(rest).read(flight.length());
                    assertThat(back).as("cut at %d", cut).isEqualTo(flight);
                }
            }
        }
    }

    @Test
    void everySplitOfThePrefaceOfHttp2IsAnsweredWithSettings() throws IOException {
        String preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
        try (Server server = Server.echo()) {
            Proxy proxy = start(plain(server.port()), Protocol.DETECT, PATIENT);
            for (int cut = 1; cut < preface.length(); cut++) {
                try (Client client = Client.to(proxy.address("outbound"))) {
                    String frame = client.send(preface.substring(0, cut))
                            .send(preface.substring(cut))
                            .read(9);
                    // RFC 9113, 4.1 and 6.5: three bytes of length, then the type, which is 4 for SETTINGS.
                    assertThat(frame.charAt(3)).as("cut at %d", cut).isEqualTo((char) 4);
                }
            }
        }
    }

    @Test
    void case24_aRequestThatComesByteByByteIsStillHttp() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = start(plain(server.port()), Protocol.DETECT, PATIENT);
            try (Client client = Client.to(proxy.address("outbound"))) {
                String request = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
                for (char c : request.substring(0, request.length() - 1).toCharArray()) {
                    client.send(String.valueOf(c));
                }
                assertThat(client.ask("\n")).isEqualTo(request);
            }
            assertThat(mesh.decision(Direction.OUTBOUND)).isEqualTo("http1 by detected");
        }
    }

    @Test
    void aStartThatProvesNothingIsPassedOnAfterAPause() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = start(plain(server.port()), Protocol.DETECT, TIMEOUTS);
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.send("PRI * HTTP/2.").read(13)).isEqualTo("PRI * HTTP/2.");
            }
            assertThat(mesh.decision(Direction.OUTBOUND)).isEqualTo("opaque by detect-timeout");
        }
    }

    @Test
    void case23_aClientThatEndsAfterAnUnprovenStartIsPassedOnWithItsEnd() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = start(plain(server.port()), Protocol.DETECT, TIMEOUTS);
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.send("GET / HTTP/1.").finishSending().readAll())
                        .isEqualTo("GET / HTTP/1.");
            }
            assertThat(mesh.decision(Direction.OUTBOUND)).isEqualTo("opaque by detect-timeout");
        }
    }

    /**
     * Case 31 of Linkerd's says so of a client that ends its output, too. That one is dialled for here, as its server may be one that speaks first: the next
     * test. So only a client that is not there to hear anything counts as gone.
     */
    @Test
    void case31_aClientThatIsGoneWithoutAWordIsNotDialledFor() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = start(plain(server.port()), Protocol.DETECT, withGrace(Duration.ofSeconds(60)));
            try (Client client = Client.to(proxy.address("outbound"))) {
                client.socket().setSoLinger(true, 0);
            }
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("client-closed");
            await().untilAsserted(() -> assertThat(proxy.machinery().telemetry().render())
                    .contains("outbound_tcp_detect_http_results_total{result=\"error\"} 1\n"));
            assertThat(server.accepted()).isZero();
        }
    }

    /** As {@code nc -N HOST PORT </dev/null} does. */
    @Test
    void aClientThatEndsItsOutputWithoutAWordHearsItsServer() throws IOException {
        try (Server server = Server.greeting("220 ready\r\n")) {
            Proxy proxy = start(plain(server.port()), Protocol.DETECT, withGrace(Duration.ofSeconds(60)));
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.finishSending().readAll()).isEqualTo("220 ready\r\n");
            }
            assertThat(mesh.decision(Direction.OUTBOUND)).isEqualTo("opaque by client-ended");
            assertThat(proxy.machinery().telemetry().render())
                    .contains("outbound_tcp_detect_http_results_total{result=\"error\"} 1\n")
                    .doesNotContain("read_timeout");
        }
    }

    @Test
    void soDoesOneOfAPortOfTheApplication() throws IOException {
        try (Server server = Server.greeting("220 ready\r\n")) {
            Proxy proxy = mesh.start(
                    SERVER,
                    config(
                            withGrace(Duration.ofSeconds(60)),
                            List.of(redirected(server.port(), open(Protocol.DETECT)))));
            try (Client client = Client.to(proxy.address("redirected"))) {
                assertThat(client.finishSending().readAll()).isEqualTo("220 ready\r\n");
            }
            assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("opaque by client-ended");
            assertThat(proxy.machinery().telemetry().render())
                    .contains("inbound_tcp_detect_http_results_total{result=\"error\"} 1\n")
                    .doesNotContain("read_timeout");
        }
    }

    /** The port's declaration holds, whether anything came or not. */
    @Test
    void andOneOfAnOpaquePortThatMembersDialToo() throws IOException {
        try (Server server = Server.greeting("220 ready\r\n")) {
            InboundPort opaque = open(Protocol.OPAQUE);
            InboundPort port = new InboundPort(opaque.declared(), opaque.authorization(), null, Raw.NONE, true);
            Proxy proxy = mesh.start(
                    SERVER, config(withGrace(Duration.ofSeconds(60)), List.of(redirected(server.port(), port))));
            try (Client client = Client.to(proxy.address("redirected"))) {
                assertThat(client.finishSending().readAll()).isEqualTo("220 ready\r\n");
            }
            assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("opaque by declared");
        }
    }

    @Test
    void case32_withoutListeningToServersASilentClientIsDialledForAtTheTimeoutAndNotBefore() throws IOException {
        try (Server server = Server.greeting("220 ready\r\n")) {
            Proxy proxy = start(plain(server.port()), Protocol.DETECT, withGrace(null));
            long start = System.nanoTime();
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.read(11)).isEqualTo("220 ready\r\n");
            }
            assertThat(System.nanoTime() - start)
                    .isGreaterThan(TIMEOUTS.detect().toNanos());
            assertThat(mesh.decision(Direction.OUTBOUND)).isEqualTo("opaque by detect-timeout");
        }
    }

    @Test
    void case33_aSilentClientOfAnOpaquePortIsDialledForAtOnce() throws IOException {
        try (Server server = Server.greeting("hi")) {
            Proxy proxy = start(plain(server.port()), Protocol.OPAQUE, withGrace(Duration.ofHours(1)));
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.read(2)).isEqualTo("hi");
            }
            assertThat(mesh.decision(Direction.OUTBOUND))
                    .as("before any wait, neither for the client nor for detection")
                    .isEqualTo("opaque by declared");
            assertThat(proxy.machinery().telemetry().render())
                    .doesNotContain("outbound_tcp_detect_http_results_total{");
        }
    }

    @Test
    void aServerThatSpokeFirstIsDialledForAtOnceTheNextTime() throws IOException {
        try (Server server = Server.greeting("hi")) {
            Proxy proxy = start(plain(server.port()), Protocol.DETECT, TIMEOUTS);
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.read(2)).isEqualTo("hi");
            }
            proxy.apply(configFor(plain(server.port()), Protocol.DETECT, withGrace(Duration.ofHours(1))));
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.read(2)).isEqualTo("hi");
            }
            assertThat(proxy.machinery().silence().report()).containsExactly(Map.entry("service", 2L));
        }
    }

    @Test
    void aClientThatSpeaksFirstAfterAllIsBelievedAndTheSilenceForgotten() throws IOException {
        AtomicBoolean greeted = new AtomicBoolean();
        try (Server server = Server.that(socket -> {
            // Greets the first, and waits for the others to speak.
            String answer = "";
            if (!greeted.getAndSet(true)) {
                answer = "hi";
            } else if (socket.getInputStream().read() == 'G') {
                answer = "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nyes";
            }
            socket.getOutputStream().write(answer.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        })) {
            Proxy proxy = start(plain(server.port()), Protocol.DETECT, TIMEOUTS);
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.read(2)).isEqualTo("hi");
            }
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.ask("GET / HTTP/1.1\r\nhost: a\r\n\r\n")).isEqualTo("yes");
            }
            assertThat(proxy.machinery().silence().report()).isEmpty();
        }
    }

    @Test
    void aDeclarationBeatsWhatWasLearned() throws IOException {
        try (Server server = Server.greeting("hi")) {
            Proxy proxy = start(plain(server.port()), Protocol.DETECT, TIMEOUTS);
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.read(2)).isEqualTo("hi");
            }
            mesh.over(Direction.OUTBOUND);
            mesh.ended().clear();
            proxy.apply(configFor(plain(server.port()), Protocol.HTTP1, TIMEOUTS));
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.send("GET / HTTP/1.1\r\nhost: a\r\n\r\n").read(12))
                        .as("a greeting is no answer to a request")
                        .isEqualTo("HTTP/1.1 502");
            }
            assertThat(mesh.decision(Direction.OUTBOUND)).isEqualTo("http1 by declared");
        }
    }

    @Test
    void aClientThatIsSilentForLongAndThenSpeaksHttpIsStillHttp() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = start(plain(server.port()), Protocol.DETECT, TIMEOUTS);
            try (Client client = Client.to(proxy.address("outbound"))) {
                await().until(() -> server.accepted() == 1);
                assertThat(client.ask("GET / HTTP/1.1\r\nhost: a\r\n\r\n")).startsWith("GET / HTTP/1.1");
            }
            assertThat(mesh.decision(Direction.OUTBOUND)).isEqualTo("http1 by detected");
        }
    }

    @Test
    void aDialThatIsNotWantedAnyMoreIsNotMadeAgain() throws IOException {
        // It accepts and says nothing, so the handshake is under way when the client speaks HTTP.
        try (Server mute = Server.that(socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()))) {
            Proxy proxy = start(meshed(1, mute.address(), SERVER), Protocol.DETECT, TIMEOUTS);
            try (Client client = Client.to(proxy.address("outbound"))) {
                await().until(() -> mute.accepted() == 1);
                client.send("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
                await().until(() -> mute.accepted() == 2);
                await().during(Duration.ofMillis(300)).until(() -> mute.accepted() == 2);
            }
        }
    }

    @Test
    void manySilentClientsOfAServerThatSpeaksFirstAreEachDialledForOnce() throws IOException {
        try (Server server = Server.greeting("220 ready\r\n")) {
            Proxy inbound = mesh.start(SERVER, config(List.of(inbound(Map.of(), strict(Protocol.DETECT)))));
            Proxy proxy = start(meshed(server.port(), inbound.address("inbound"), SERVER), Protocol.DETECT, TIMEOUTS);
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                clients.add(Client.to(proxy.address("outbound")));
            }
            for (Client client : clients) {
                assertThat(client.read(11)).isEqualTo("220 ready\r\n");
                client.close();
            }
            assertThat(server.accepted()).isEqualTo(50);
        }
    }

    @Test
    void aPortDeclaredTlsTakesNothingElse() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = start(plain(server.port()), Protocol.TLS, TIMEOUTS);
            try (Client client = Client.to(proxy.address("outbound"))) {
                client.send("hello");
                assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("not-tls");
            }
            assertThat(server.accepted()).isZero();
        }
    }

    private Proxy start(Endpoint endpoint, Protocol protocol, Timeouts timeouts) {
        return mesh.start(CLIENT, configFor(endpoint, protocol, timeouts));
    }

    private static io.parley.proxy.config.ProxyConfig configFor(
            Endpoint endpoint, Protocol protocol, Timeouts timeouts) {
        return config(timeouts, List.of(outbound("service", declared(protocol))), cluster("service", endpoint));
    }

    private static Timeouts withGrace(@Nullable Duration grace) {
        return new Timeouts(
                grace,
                TIMEOUTS.detect(),
                TIMEOUTS.partial(),
                TIMEOUTS.header(),
                TIMEOUTS.handshake(),
                TIMEOUTS.connect(),
                TIMEOUTS.idle(),
                TIMEOUTS.drain());
    }
}
