package io.parley.proxy.admin;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.loopback;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.parley.proxy.Direction;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.Logged;
import io.parley.proxy.app.PeerProxy;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.telemetry.FailureLog;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections to the admin port: how long they may take, how many there may be, and who must not make them. */
class AdminConnectionsTest {
    private final TestMesh mesh = new TestMesh();
    private Proxy proxy;
    private AdminServer admin;

    @BeforeEach
    void start() {
        proxy = mesh.start(
                SERVER, TestMesh.config(List.of(TestMesh.inbound(Map.of(), TestMesh.strict(Protocol.DETECT)))));
        admin = new AdminServer(
                new InetSocketAddress(loopback(), 0),
                new AdminServer.Visits(null, List.of()),
                proxy,
                () -> TestMesh.TOLD,
                () -> {});
    }

    @AfterEach
    void close() {
        admin.close();
        mesh.close();
    }

    @Test
    void headIsAnsweredAsGetIsWithoutTheBody() throws IOException {
        try (Client client = Client.to(admin.address())) {
            client.send("HEAD /ready HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
            assertThat(client.readAll())
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("content-length: 6")
                    .endsWith("\r\n\r\n");
        }
    }

    @Test
    void aHeaderThatNamesTheAdminPortIsALoop() throws IOException {
        byte[] header = PeerProxy.bytes(ConnectionHeader.toPort(admin.address().getPort(), null), "GET / HTTP/1.1\r\n");
        try (PeerProxy peer = PeerProxy.connect(
                proxy.address("inbound"),
                mesh.credentials(CLIENT),
                PeerIdentity.serverName(SERVER),
                ConnectionHeader.ALPN)) {
            peer.send(header);
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("loop");
        }
    }

    @Test
    void aRequestThatCannotBeReadIsRefusedAndIsTheLast() throws IOException {
        String filler = "x".repeat(9_000);
        for (String bad : List.of(
                "GET /ready HTTP/1.1\r\nno colon\r\n\r\n",
                "nonsense\r\n\r\n",
                "GET /config_dump HTTP/1.1\r\nx: " + filler + "\r\nhost: evil.example\r\n\r\n")) {
            try (Client client = Client.to(admin.address())) {
                client.send(bad);
                assertThat(client.readAll())
                        .as(bad.lines().findFirst().orElseThrow())
                        .startsWith(bad.contains(filler) ? "HTTP/1.1 431 " : "HTTP/1.1 400 ")
                        .contains("connection: close");
            }
        }
    }

    @Test
    void oneConnectionMayAskAgainAndAgain() throws IOException {
        try (Client client = Client.to(admin.address())) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.ask("GET /live HTTP/1.1\r\nhost: localhost\r\n\r\n"))
                        .isEqualTo("live\n");
            }
        }
    }

    @Test
    void theNewestIsAnsweredHoweverManyHoldOnToTheirConnections() throws IOException {
        List<Client> others = new ArrayList<>();
        for (int i = 0; i < Crowd.MAX_CONNECTIONS; i++) {
            others.add(Client.to(admin.address()));
        }
        try (Client client = Client.to(admin.address())) {
            assertThat(client.ask("GET /live HTTP/1.1\r\nhost: localhost\r\n\r\n"))
                    .isEqualTo("live\n");
            assertThat(others.getFirst().readAll()).as("the oldest was let go").isEmpty();
        }
        for (Client other : others) {
            other.close();
        }
    }

    @Test
    void whoOpensTheMostLosesOneAndNobodyElse() throws IOException {
        List<Client> many = new ArrayList<>();
        try (Logged log = Logged.by(FailureLog.class);
                Client kubelet = Client.to(admin.address())) {
            assertThat(kubelet.ask("GET /live HTTP/1.1\r\nhost: localhost\r\n\r\n"))
                    .isEqualTo("live\n");
            for (int i = 0; i < Crowd.MAX_CONNECTIONS; i++) {
                many.add(Client.of("127.0.0.2", admin.address()));
            }
            assertThat(many.getFirst().readAll()).as("the oldest of the many").isEmpty();
            assertThat(kubelet.ask("GET /live HTTP/1.1\r\nhost: localhost\r\n\r\n"))
                    .isEqualTo("live\n");
            assertThat(proxy.machinery().telemetry().render()).contains("\nadmin_connections_let_go_total 1\n");
            assertThat(log.lines())
                    .containsExactly("connections to the admin page are closed:"
                            + " more than 100 are open, most of them from 127.0.0.2 (crowd, 1 times)");
        }
        for (Client one : many) {
            one.close();
        }
    }

    @Test
    void aRequestThatTricklesIsCutOffAtItsTime() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline().addLast(new RequestTimeout());
        for (int second = 1; second < RequestTimeout.PATIENCE.toSeconds(); second++) {
            trickle(channel);
            assertThat(channel.isOpen()).isTrue();
        }
        trickle(channel);
        assertThat(channel.isOpen()).isFalse();
        channel.finishAndReleaseAll();
    }

    @Test
    void anAnswerMayTakeLongerAndTheNextRequestHasItsOwnTime() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        RequestTimeout timeout = new RequestTimeout();
        channel.pipeline().addLast(timeout);
        trickle(channel);
        timeout.whole();
        pass(channel, 60);
        assertThat(channel.isOpen()).isTrue();
        channel.writeOutbound(Unpooled.copiedBuffer("an answer", US_ASCII));
        pass(channel, 60);
        assertThat(channel.isOpen()).as("nobody must ask again").isTrue();
        trickle(channel);
        pass(channel, 10);
        assertThat(channel.isOpen()).isFalse();
        channel.finishAndReleaseAll();
    }

    /** A byte, and a second. */
    private static void trickle(EmbeddedChannel channel) {
        channel.writeInbound(Unpooled.copiedBuffer("G", US_ASCII));
        pass(channel, 1);
    }

    private static void pass(EmbeddedChannel channel, int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }
}
