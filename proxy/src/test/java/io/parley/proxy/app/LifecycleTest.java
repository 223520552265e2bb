package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.TIMEOUTS;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.loopback;
import static io.parley.proxy.app.TestMesh.meshed;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.plain;
import static io.parley.proxy.app.TestMesh.strict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.Direction;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ListenerConfig.Destinations;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.MeshCredentials;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a running proxy changes, keeps its limits and stops. */
class LifecycleTest {
    private final TestMesh mesh = new TestMesh();

    @AfterEach
    void close() {
        mesh.close();
    }

    @Test
    void aRenewedCertificateIsUsedForNewConnectionsAndOpenOnesStay() throws IOException {
        AtomicReference<MeshCredentials> held = new AtomicReference<>(mesh.issue(SERVER));
        try (Server server = Server.echo()) {
            Proxy inbound = mesh.start(
                    () -> Optional.of(held.get()), config(List.of(inbound(Map.of(), strict(Protocol.DETECT)))));
            Proxy proxy = mesh.start(
                    CLIENT,
                    config(
                            List.of(outbound("service", declared(Protocol.OPAQUE))),
                            cluster("service", meshed(server.port(), inbound.address("inbound"), SERVER))));
            try (Client before = Client.to(proxy.address("outbound"))) {
                assertThat(before.send("1").read(1)).isEqualTo("1");
                for (int rotation = 0; rotation < 3; rotation++) {
                    held.set(mesh.issue(SERVER));
                    try (Client after = Client.to(proxy.address("outbound"))) {
                        assertThat(after.send("2").read(1)).isEqualTo("2");
                    }
                }
                assertThat(before.send("3").read(1)).isEqualTo("3");
                held.set(TestMesh.issue(mesh.ca(), SERVER, Duration.ofSeconds(-1)));
                try (Client expired = Client.to(proxy.address("outbound"))) {
                    assertThatThrownBy(() -> expired.send("4").read(1)).isInstanceOf(IOException.class);
                }
                assertThat(before.send("5").read(1)).isEqualTo("5");
            }
        }
    }

    @Test
    void connectionsOverTheLimitAreTurnedAwayAndThoseAfterACloseAreNot() throws IOException {
        try (Server server = Server.echo()) {
            ListenerConfig limited = limited(new Limits(1, Duration.ZERO, 0));
            Proxy proxy = mesh.start(CLIENT, config(List.of(limited), cluster("service", plain(server.port()))));
            try (Client first = Client.to(proxy.address("outbound"))) {
                assertThat(first.send("x").read(1)).isEqualTo("x");
                assertThatThrownBy(() -> {
                            try (Client second = Client.to(proxy.address("outbound"))) {
                                second.send("x").read(1);
                            }
                        })
                        .isInstanceOf(IOException.class);
            }
            mesh.over(Direction.OUTBOUND);
            try (Client third = Client.to(proxy.address("outbound"))) {
                assertThat(third.send("x").read(1)).isEqualTo("x");
            }
        }
    }

    @Test
    void anIdleConnectionIsClosed() throws IOException {
        Timeouts impatient = new Timeouts(
                TIMEOUTS.serverFirstGrace(),
                TIMEOUTS.detect(),
                TIMEOUTS.partial(),
                TIMEOUTS.header(),
                TIMEOUTS.handshake(),
                TIMEOUTS.connect(),
                Duration.ofMillis(400),
                TIMEOUTS.drain());
        try (Server server = Server.echo()) {
            Proxy proxy = mesh.start(
                    CLIENT,
                    config(
                            impatient,
                            List.of(outbound("service", declared(Protocol.OPAQUE))),
                            cluster("service", plain(server.port()))));
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.send("x").read(1)).isEqualTo("x");
                proxy.machinery().sessions().closeIdle(0);
                InputStream in = client.socket().getInputStream();
                proxy.machinery().sessions().closeIdle(0);
                assertThat(in.read()).isNegative();
            }
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("idle");
        }
    }

    /** Who serves requests knows when nobody asks; bytes say little about that. */
    @Test
    void connectionsOfHttpHaveTimesOfTheirOwn() throws Exception {
        try (RecordingServer server = RecordingServer.ok()) {
            Proxy proxy = mesh.start(
                    CLIENT,
                    config(
                            List.of(outbound("service", declared(Protocol.HTTP1))),
                            cluster("service", plain(server.port()))));
            try (Client client = Client.to(proxy.address("outbound"))) {
                for (int i = 0; i < 2; i++) {
                    assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read(40))
                            .endsWith("\r\n\r\nok");
                    proxy.machinery().sessions().closeIdle(0);
                    proxy.machinery().sessions().closeIdle(0);
                }
            }
        }
    }

    @Test
    void drainingLetsOpenConnectionsFinishAndAcceptsNoNewOnes() throws Exception {
        try (Server server = Server.echo()) {
            Proxy proxy = mesh.start(
                    CLIENT,
                    config(
                            List.of(outbound("service", declared(Protocol.OPAQUE))),
                            cluster("service", plain(server.port()))));
            InetSocketAddress address = proxy.address("outbound");
            Client client = Client.to(address);
            assertThat(client.send("1").read(1)).isEqualTo("1");
            Thread drain = Thread.ofVirtual().start(() -> {
                try {
                    proxy.drain();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            await().until(() -> !proxy.isReady());
            await().untilAsserted(
                            () -> assertThatThrownBy(() -> Client.to(address)).isInstanceOf(IOException.class));
            assertThat(client.send("2").read(1)).isEqualTo("2");
            assertThat(drain.isAlive()).isTrue();
            client.close();
            assertThat(drain.join(Duration.ofSeconds(30))).isTrue();
        }
    }

    @Test
    void whatADrainCutsIsLogged() throws Exception {
        Timeouts hurried = new Timeouts(
                TIMEOUTS.serverFirstGrace(),
                TIMEOUTS.detect(),
                TIMEOUTS.partial(),
                TIMEOUTS.header(),
                TIMEOUTS.handshake(),
                TIMEOUTS.connect(),
                TIMEOUTS.idle(),
                Duration.ZERO);
        try (Server server = Server.echo()) {
            Proxy proxy = mesh.start(
                    CLIENT,
                    config(
                            hurried,
                            List.of(outbound("service", declared(Protocol.OPAQUE))),
                            cluster("service", plain(server.port()))));
            try (Client client = Client.to(proxy.address("outbound"));
                    Logged logged = Logged.by(Proxy.class)) {
                assertThat(client.send("1").read(1)).isEqualTo("1");
                proxy.drain();
                assertThat(logged.lines())
                        .containsExactly(
                                "draining, 1 connections open, for at most 0 s", "1 connections cut after 0 s");
            }
        }
    }

    @Test
    void aConfigurationThatCannotBeAppliedChangesNothing() throws IOException {
        try (Server server = Server.echo();
                ServerSocket taken = new ServerSocket(0, 1, loopback())) {
            var good = config(
                    List.of(outbound("service", declared(Protocol.OPAQUE))), cluster("service", plain(server.port())));
            Proxy proxy = mesh.start(CLIENT, good);
            ListenerConfig impossible = new ListenerConfig(
                    "other",
                    Direction.OUTBOUND,
                    new InetSocketAddress(loopback(), taken.getLocalPort()),
                    Destinations.LISTENER,
                    new Routing.ByDestination(Map.of(), Routing.Unknown.REFUSE),
                    Limits.DEFAULT);
            assertThatThrownBy(() -> proxy.apply(config(List.of(impossible)))).hasMessageContaining("cannot listen on");
            assertThat(proxy.config()).isEqualTo(good);
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.send("x").read(1)).isEqualTo("x");
            }
        }
    }

    @Test
    void case40_aChangedDeclarationHoldsForTheNextConnectionAndLeavesOpenOnesAlone() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = mesh.start(
                    CLIENT,
                    config(
                            List.of(outbound("service", declared(Protocol.DETECT))),
                            cluster("service", plain(server.port()))));
            try (Client before = Client.to(proxy.address("outbound"))) {
                assertThat(before.ask("GET / HTTP/1.1\r\nhost: a\r\n\r\n")).startsWith("GET / HTTP/1.1\r\n");
                proxy.apply(config(
                        List.of(outbound("service", declared(Protocol.OPAQUE))),
                        cluster("service", plain(server.port()))));
                try (Client after = Client.to(proxy.address("outbound"))) {
                    assertThat(after.ask("GET / HTTP/1.1\r\nhost: a\r\n\r\n")).startsWith("GET / HTTP/1.1\r\n");
                }
                // The only one that is over; until then the other would be found.
                mesh.over(Direction.OUTBOUND);
                assertThat(mesh.decision(Direction.OUTBOUND)).isEqualTo("opaque by declared");
                assertThat(before.ask("GET /more HTTP/1.1\r\nhost: a\r\n\r\n")).startsWith("GET /more");
            }
        }
    }

    private static ListenerConfig limited(Limits limits) {
        ListenerConfig one = outbound("service", declared(Protocol.OPAQUE));
        return new ListenerConfig(
                one.name(), one.direction(), one.address(), one.destinations(), one.routing(), limits);
    }
}
