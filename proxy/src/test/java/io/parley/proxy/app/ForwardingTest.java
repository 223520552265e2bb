package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.GATEWAY;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.loopback;
import static io.parley.proxy.app.TestMesh.meshed;
import static io.parley.proxy.app.TestMesh.open;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.plain;
import static io.parley.proxy.app.TestMesh.strict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parley.agreement.port.PortSet;
import io.parley.proxy.config.Application;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ListenerConfig.Destinations;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Routing;
import io.parley.proxy.listen.Proxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens to bytes and connections once it is known what they are. */
class ForwardingTest {
    private static final String SERVICE = "db.default.svc.cluster.local";

    /** How many proxies are between client and server. */
    enum Hops {
        ONE,
        TWO
    }

    private final TestMesh mesh = new TestMesh();

    @AfterEach
    void close() {
        mesh.close();
    }

    @ParameterizedTest
    @EnumSource
    void case42_eachSideMayEndItsOutputByItself(Hops hops) throws IOException {
        try (Server server = Server.that(socket -> {
            byte[] all = socket.getInputStream().readAllBytes();
            socket.getOutputStream().write(("got " + all.length).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        })) {
            try (Client client = Client.to(through(server, hops, Protocol.OPAQUE))) {
                assertThat(client.send("12345").finishSending().readAll()).isEqualTo("got 5");
            }
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("client-closed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void case42_aServerMayEndItsOutputAndStillListen(Hops hops) throws IOException {
        AtomicReference<String> heard = new AtomicReference<>("");
        try (Server server = Server.that(socket -> {
            socket.getOutputStream().write('!');
            socket.shutdownOutput();
            heard.set(new String(socket.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII));
        })) {
            try (Client client = Client.to(through(server, hops, Protocol.OPAQUE))) {
                assertThat(client.readAll()).isEqualTo("!");
                client.send("still here").finishSending();
                await().untilAtomic(heard, org.hamcrest.Matchers.equalTo("still here"));
            }
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("server-closed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void largeTransfersArriveWholeInBothDirections(Hops hops) throws IOException {
        long seed = 42;
        byte[] data = new byte[8 * 1024 * 1024];
        new Random(seed).nextBytes(data);
        try (Server server = Server.echo();
                Client client = Client.to(through(server, hops, Protocol.OPAQUE))) {
            Thread.ofVirtual().start(() -> {
                try {
                    client.send(data).finishSending();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            byte[] back = client.socket().getInputStream().readAllBytes();
            assertThat(Arrays.equals(back, data)).as("seed %d", seed).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLongAnswerReachesAClientThatHasEndedItsOutput(Hops hops) throws IOException {
        byte[] data = new byte[16 * 1024 * 1024];
        try (Server server = Server.that(socket -> {
            socket.getInputStream().readAllBytes();
            socket.getOutputStream().write(data);
        })) {
            try (Client client = Client.to(through(server, hops, Protocol.OPAQUE))) {
                client.send("all of it, please").finishSending();
                assertThat(client.socket().getInputStream().readAllBytes()).hasSize(data.length);
            }
        }
    }

    @Test
    void aServerThatDoesNotReadStopsTheClientAndLittleIsHeld() throws IOException {
        CountDownLatch go = new CountDownLatch(1);
        try (Server server = Server.that(socket -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        })) {
            Proxy proxy = mesh.start(
                    CLIENT,
                    config(
                            List.of(outbound("service", declared(Protocol.OPAQUE))),
                            cluster("service", plain(server.port()))));
            try (Client client = Client.to(proxy.address("outbound"))) {
                client.socket().setSendBufferSize(64 * 1024);
                Thread sender = Thread.ofVirtual().start(() -> {
                    try {
                        client.send(new byte[256 * 1024 * 1024]);
                    } catch (IOException _) {
                        // Closed at the end of the test.
                    }
                });
                AtomicReference<Long> last = new AtomicReference<>(-1L);
                await().pollInterval(Duration.ofMillis(300)).until(() -> {
                    long now = proxy.machinery().sessions().list().stream()
                            .mapToLong(s -> s.received())
                            .sum();
                    return now > 0 && last.getAndSet(now) == now;
                });
                // What the kernel's buffers hold, and one buffer of ours.
                assertThat(last.get()).isLessThan(64L * 1024 * 1024);
                assertThat(sender.isAlive()).isTrue();
            }
            go.countDown();
        }
    }

    @Test
    void aResetOnOneSideIsAResetOnTheOther() throws IOException {
        try (Server server = Server.that(socket -> {
            socket.getInputStream().read();
            socket.setSoLinger(true, 0);
        })) {
            try (Client client = Client.to(through(server, Hops.ONE, Protocol.OPAQUE))) {
                assertThatThrownBy(() -> client.send("x").readAll()).hasMessageContaining("reset");
            }
        }
    }

    @Test
    void anEndpointThatCannotBeReachedIsReplacedByAnother() throws IOException {
        int dead;
        try (ServerSocket closed = new ServerSocket(0)) {
            dead = closed.getLocalPort();
        }
        try (Server server = Server.echo()) {
            Proxy proxy = mesh.start(
                    CLIENT,
                    config(
                            List.of(outbound("service", declared(Protocol.OPAQUE))),
                            cluster("service", plain(dead), plain(server.port()))));
            for (int i = 0; i < 20; i++) {
                try (Client client = Client.to(proxy.address("outbound"))) {
                    assertThat(client.send("x").read(1)).isEqualTo("x");
                }
            }
        }
    }

    @Test
    void whenNoEndpointCanBeReachedTheClientIsReset() throws IOException {
        int dead;
        try (ServerSocket closed = new ServerSocket(0)) {
            dead = closed.getLocalPort();
        }
        Proxy proxy = mesh.start(
                CLIENT,
                config(List.of(outbound("service", declared(Protocol.OPAQUE))), cluster("service", plain(dead))));
        try (Client client = Client.to(proxy.address("outbound"))) {
            assertThatThrownBy(() -> client.send("x").read(1)).isInstanceOf(IOException.class);
        }
        assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("unreachable");
    }

    @Test
    void anEndpointThatIsNotWhoItShouldBeGetsNothing() throws IOException {
        try (Server server = Server.echo()) {
            Proxy inbound = mesh.start(SERVER, config(List.of(inbound(Map.of(), strict(Protocol.DETECT)))));
            Endpoint wrong = new Endpoint(
                    new InetSocketAddress(loopback(), server.port()),
                    new Endpoint.Mesh(
                            inbound.address("inbound"),
                            GATEWAY,
                            io.parley.proxy.tls.PeerIdentity.serverName(SERVER),
                            io.parley.wire.header.HeaderMagic.SHIPPED,
                            null,
                            Protocol.DETECT));
            Proxy proxy = mesh.start(
                    CLIENT, config(List.of(outbound("service", declared(Protocol.OPAQUE))), cluster("service", wrong)));
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThatThrownBy(() -> client.send("secret").read(1)).isInstanceOf(IOException.class);
            }
            assertThat(mesh.ending(Direction.OUTBOUND).detail()).contains("expected: " + GATEWAY);
            assertThat(server.accepted()).isZero();
        }
    }

    @Test
    void case41_aGatewayPassesANamedConnectionOnWithAFreshHeaderAndRefusesForeignDomains() throws IOException {
        try (Server server = Server.greeting("hi")) {
            Proxy inbound = mesh.start(SERVER, config(List.of(inbound(Map.of(), strict(Protocol.DETECT)))));
            OutboundTarget passed = new OutboundTarget(SERVICE + ":3306", declared(Protocol.OPAQUE), "db");
            Proxy gateway = mesh.start(
                    GATEWAY,
                    config(
                            List.of(inbound(new Routing.ToApplication(
                                    Map.of(),
                                    PortSet.EMPTY,
                                    strict(Protocol.DETECT),
                                    strict(Protocol.DETECT),
                                    Application.at(loopback()),
                                    Map.of(SERVICE + ":3306", passed, "evil.example:3306", passed),
                                    Set.of("svc.cluster.local")))),
                            cluster("db", meshed(server.port(), inbound.address("inbound"), SERVER))));
            Proxy client = mesh.start(
                    CLIENT,
                    config(
                            List.of(outbound("service", declared(Protocol.OPAQUE))),
                            cluster(
                                    "service",
                                    meshed(3306, gateway.address("inbound"), GATEWAY, SERVICE, Protocol.OPAQUE))));
            try (Client application = Client.to(client.address("outbound"))) {
                assertThat(application.read(2)).isEqualTo("hi");
            }
            client.apply(config(
                    List.of(outbound("service", declared(Protocol.OPAQUE))),
                    cluster(
                            "service",
                            meshed(3306, gateway.address("inbound"), GATEWAY, "evil.example", Protocol.OPAQUE))));
            assertThatThrownBy(() -> everythingFrom(client.address("outbound"))).isInstanceOf(IOException.class);
            await().until(() -> mesh.ended().stream()
                    .anyMatch(s -> s.ending() != null && s.ending().cause().equals("gateway-domain")));
            assertThat(server.accepted()).isEqualTo(1);
        }
    }

    /** One that is reset may be so before it knows that it is connected. */
    private static String everythingFrom(InetSocketAddress address) throws IOException {
        try (Client client = Client.to(address)) {
            return client.readAll();
        }
    }

    @Test
    void case45_anEndpointBehindThisVeryProxyIsDialledInClear() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = mesh.start(SERVER, config(List.of(inbound(Map.of(), strict(Protocol.DETECT)))));
            var both =
                    List.of(inbound(Map.of(), strict(Protocol.DETECT)), outbound("service", declared(Protocol.OPAQUE)));
            proxy.apply(config(both, cluster("service", meshed(server.port(), proxy.address("inbound"), SERVER))));
            try (Client client = Client.to(proxy.address("outbound"))) {
                assertThat(client.send("x").read(1)).isEqualTo("x");
            }
            assertThat(mesh.ended()).allMatch(s -> s.accepted().direction() == Direction.OUTBOUND);
        }
    }

    /** Where it is reached is where it passes connections on to. */
    private Proxy leadingToItself() {
        ListenerConfig any = new ListenerConfig(
                "outbound",
                Direction.OUTBOUND,
                new InetSocketAddress(loopback(), 0),
                Destinations.LISTENER,
                new Routing.ByDestination(Map.of(), Routing.Unknown.PASS),
                Limits.DEFAULT);
        return mesh.start(CLIENT, config(List.of(any)));
    }

    /** Attack 46: each connection would make another one. */
    @Test
    void aRequestToTheProxyItselfIsRefusedOnce() throws IOException {
        Proxy proxy = leadingToItself();
        try (Client client = Client.to(proxy.address("outbound"))) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(client.readAll())
                    .startsWith("HTTP/1.1 503")
                    .contains("x-parley-error: unreachable")
                    .doesNotContain(proxy.address("outbound").toString());
        }
        mesh.over(Direction.OUTBOUND);
        assertThat(mesh.ended()).as("nobody else has connected").hasSize(1);
        assertThat(proxy.machinery().sessions().count()).isZero();
        assertThat(proxy.machinery().telemetry().render())
                .containsPattern("http_errors_total\\{.*cause=\"unreachable\".*} 1\n");
    }

    @Test
    void aDestinationThatIsTheProxyItselfIsALoop() throws IOException {
        Proxy proxy = leadingToItself();
        try (Client client = Client.to(proxy.address("outbound"))) {
            assertThatThrownBy(() -> client.send("hello").read(1)).isInstanceOf(IOException.class);
        }
        assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("loop");
    }

    @Test
    void theProxyProtocolTellsWhereAConnectionWasMeantToGo() throws IOException {
        try (Server server = Server.echo()) {
            ListenerConfig balanced = new ListenerConfig(
                    "inbound",
                    Direction.INBOUND,
                    new InetSocketAddress(loopback(), 0),
                    Destinations.PROXY_PROTOCOL,
                    ((Routing.ToApplication)
                            inbound(Map.of(), open(Protocol.DETECT)).routing()),
                    Limits.DEFAULT);
            Proxy proxy = mesh.start(SERVER, config(List.of(balanced)));
            try (Client client = Client.to(proxy.address("inbound"))) {
                client.send("PROXY TCP4 192.0.2.7 192.0.2.8 5555 " + server.port() + "\r\nhello");
                assertThat(client.read(5)).isEqualTo("hello");
            }
            assertThat(mesh.over(Direction.INBOUND).accepted().client())
                    .isEqualTo(new InetSocketAddress("192.0.2.7", 5555));
            mesh.ended().clear();
            try (Client client = Client.to(proxy.address("inbound"))) {
                client.send("GET / HTTP/1.1\r\n");
                assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("proxy-protocol");
            }
        }
    }

    private InetSocketAddress through(Server server, Hops hops, Protocol protocol) {
        Endpoint endpoint = switch (hops) {
            case ONE -> plain(server.port());
            case TWO ->
                meshed(
                        server.port(),
                        mesh.start(SERVER, config(List.of(inbound(Map.of(), strict(Protocol.DETECT)))))
                                .address("inbound"),
                        SERVER);
        };
        return mesh.start(
                        CLIENT, config(List.of(outbound("service", declared(protocol))), cluster("service", endpoint)))
                .address("outbound");
    }
}
