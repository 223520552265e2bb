package io.parley.proxy.tcp;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.TIMEOUTS;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.proxy.Direction;
import io.parley.proxy.admin.AdminServer;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.Logged;
import io.parley.proxy.app.Server;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.telemetry.FailureLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that are too many are turned away, counted, and logged once a minute. */
class ConnectionLimitsTest {
    private final TestMesh mesh = new TestMesh();
    private final Logged logged = Logged.by(FailureLog.class);
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = Server.echo();
    }

    @AfterEach
    void close() throws IOException {
        mesh.close();
        server.close();
        logged.close();
    }

    @Test
    void thoseOfAListener() throws IOException {
        Proxy proxy = proxy(new Limits(1, Duration.ZERO, 0));
        try (Client first = Client.to(proxy.address("outbound"))) {
            assertServed(first);
            assertTurnedAway(proxy.address("outbound"));
            assertTurnedAway(proxy.address("outbound"));
        }
        assertTold(proxy, "listener-connections", 2, "the listener has all its 1");
    }

    /** Who restarts a proxy that does not say that it is alive would end the connections that it has. */
    @Test
    void whoAsksWhetherTheProxyIsAliveIsAnsweredAllTheSame() throws IOException {
        Proxy proxy = proxy(new Limits(1, Duration.ZERO, 0));
        InetSocketAddress any = new InetSocketAddress(TestMesh.loopback(), 0);
        try (AdminServer admin = new AdminServer(
                        any, new AdminServer.Visits(null, List.of()), proxy, () -> TestMesh.TOLD, () -> {});
                Client first = Client.to(proxy.address("outbound"))) {
            assertServed(first);
            assertTurnedAway(proxy.address("outbound"));
            try (Client client = Client.to(admin.address())) {
                assertThat(client.ask("GET /live HTTP/1.1\r\nhost: localhost\r\n\r\n"))
                        .isEqualTo("live\n");
            }
            assertThat(first.send("y").read(1)).isEqualTo("y");
        }
    }

    @Test
    void thoseOfAProxy() throws Exception {
        Proxy proxy = proxy(Limits.DEFAULT);
        Listener listener =
                new Listener(limited(Limits.DEFAULT), TIMEOUTS, proxy.machinery(), new ConnectionLimit(), 1);
        listener.bind().sync();
        listener.open();
        try (Client first = Client.to(listener.address())) {
            assertServed(first);
            assertTurnedAway(listener.address());
        }
        mesh.over(Direction.OUTBOUND);
        try (Client next = Client.to(listener.address())) {
            assertServed(next);
        }
        listener.close().sync();
        assertTold(proxy, "connections", 1, "the proxy has all its 1");
    }

    @Test
    void thoseThatComeTooOftenUntilTimeHasPassed() throws IOException {
        Proxy proxy = proxy(new Limits(100, Duration.ofHours(1), 2));
        for (int i = 0; i < 2; i++) {
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertServed(client);
            }
        }
        assertTurnedAway(proxy.address("outbound"));
        assertTold(proxy, "connection-rate", 1, "one each 3600000 ms, at most 2 at once");
        mesh.pass(Duration.ofHours(1));
        try (Client client = Client.to(proxy.address("outbound"))) {
            assertServed(client);
        }
    }

    private void assertTold(Proxy proxy, String cause, int times, String limit) {
        assertThat(proxy.machinery().telemetry().render())
                .contains("outbound_tcp_errors_total{error=\"" + cause + "\"} " + times + "\n");
        assertThat(logged.lines())
                .singleElement()
                .asString()
                .matches("connections to outbound are turned away: " + limit
                        + ", and the last one is 127\\.0\\.0\\.1:\\d+ \\(" + cause + ", 1 times\\)");
    }

    private static void assertServed(Client client) throws IOException {
        assertThat(client.send("x").read(1)).isEqualTo("x");
    }

    private static void assertTurnedAway(InetSocketAddress address) {
        assertThatThrownBy(() -> {
                    try (Client client = Client.to(address)) {
                        client.send("x").read(1);
                    }
                })
                .isInstanceOf(IOException.class);
    }

    private Proxy proxy(Limits limits) {
        return mesh.start(CLIENT, config(List.of(limited(limits)), cluster("service", plain(server.port()))));
    }

    private static ListenerConfig limited(Limits limits) {
        ListenerConfig one = outbound("service", declared(Protocol.OPAQUE));
        return new ListenerConfig(
                one.name(), one.direction(), one.address(), one.destinations(), one.routing(), limits);
    }
}
