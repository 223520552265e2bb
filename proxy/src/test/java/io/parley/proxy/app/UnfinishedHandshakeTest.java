package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.plain;
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.app.TestMesh.strict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.DefaultChannelPipeline;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.Direction;
import io.parley.proxy.config.ClusterShare;
import io.parley.proxy.config.GatewayChain;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ListenerConfig.Destinations;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Raw;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.ServerTls;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tcp.Ending;
import io.parley.proxy.telemetry.FailureLog;
import io.parley.proxy.tls.PeerIdentity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that begin a handshake and do not end it. */
class UnfinishedHandshakeTest {
    private static final SpiffeId EDGE = SpiffeId.parse("spiffe://other.test/edge");

    /** An end that is not seen shows in that it is waited out. */
    private static final Duration FOR_EVER = Duration.ofMinutes(10);

    private final TestMesh mesh = new TestMesh();
    private final Logged netty = Logged.by(DefaultChannelPipeline.class);
    private final Logged refusals = Logged.by(FailureLog.class);
    private Server server;

    /** Who waits for the handshake. */
    enum Place {
        OWN_PORT,
        APPLICATION_PORT,
        GATEWAY
    }

    @BeforeEach
    void open() throws IOException {
        server = Server.echo();
    }

    @AfterEach
    void close() throws IOException {
        mesh.close();
        netty.close();
        refusals.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatEndsItsOutputIsDoneWithAtOnce(Place place) throws IOException {
        Proxy proxy = start(place, FOR_EVER);
        try (Client client = begun(proxy)) {
            client.read(1);
            client.finishSending();
            isRefusedOnce(proxy, "the other side ended the connection before the handshake was over");
        }
    }

    @ParameterizedTest
    @EnumSource
    void soIsOneThatResets(Place place) throws IOException {
        Proxy proxy = start(place, FOR_EVER);
        try (Client client = begun(proxy)) {
            client.read(1);
            client.socket().setSoLinger(true, 0);
        }
        assertThat(mesh.ending(direction(proxy)).cause()).isEqualTo("client-closed");
        isCountedOnce(proxy);
        await().until(() -> !refusals.lines().isEmpty());
        assertThat(refusals.lines()).singleElement().asString().contains("the other side closed the connection");
    }

    @Test
    void whatWasDialledWhileItWasSilentIsLetGo() throws IOException {
        CountDownLatch letGo = new CountDownLatch(1);
        try (Server heard = Server.that(socket -> {
            if (socket.getInputStream().read() < 0) {
                letGo.countDown();
            }
        })) {
            Proxy proxy = start(redirected(heard.port(), TestMesh.open(Protocol.DETECT)), FOR_EVER);
            try (Client client = Client.to(proxy.address("listener"))) {
                await().until(() -> heard.accepted() == 1);
                client.send(hello()).read(1);
                client.finishSending();
                isRefusedOnce(proxy, "the other side ended the connection before the handshake was over");
                await().until(() -> letGo.getCount() == 0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneThatStopsIsWaitedForNoLongerThanItMayTake(Place place) throws IOException {
        Proxy proxy = start(place, Duration.ofNanos(1));
        try (Client _ = begun(proxy)) {
            isRefusedOnce(proxy, "handshake timed out after 1ms");
        }
    }

    /** Has sent a whole ClientHello. */
    private static Client begun(Proxy proxy) throws IOException {
        Client client = Client.to(proxy.address("listener"));
        return client.send(hello());
    }

    private static byte[] hello() {
        return ByteBufUtil.getBytes(Hello.forName(PeerIdentity.serverName(SERVER)));
    }

    private void isRefusedOnce(Proxy proxy, String detail) {
        assertThat(mesh.ending(direction(proxy))).isEqualTo(new Ending("tls-handshake", detail));
        isCountedOnce(proxy);
    }

    private void isCountedOnce(Proxy proxy) {
        await().until(() -> proxy.machinery().sessions().count() == 0);
        String counted = direction(proxy) + "_tcp_errors_total{error=\"tls-handshake\"} ";
        await().until(() -> proxy.machinery().telemetry().render().contains(counted));
        assertThat(proxy.machinery().telemetry().render()).contains(counted + "1\n");
        assertThat(netty.lines()).isEmpty();
        assertThat(server.accepted()).isZero();
    }

    private static Direction direction(Proxy proxy) {
        return proxy.config().listeners().getFirst().direction();
    }

    private Proxy start(Place place, Duration handshake) {
        return start(
                switch (place) {
                    case OWN_PORT -> inbound(Map.of(), strict(Protocol.DETECT));
                    case APPLICATION_PORT -> redirected(server.port(), strict(Protocol.DETECT));
                    case GATEWAY -> gateway();
                },
                handshake);
    }

    private Proxy start(ListenerConfig listener, Duration handshake) {
        Timeouts usual = TestMesh.TIMEOUTS;
        Timeouts timeouts = new Timeouts(
                usual.serverFirstGrace(),
                usual.detect(),
                usual.partial(),
                usual.header(),
                handshake,
                usual.connect(),
                usual.idle(),
                usual.drain());
        return mesh.start(SERVER, config(timeouts, List.of(named(listener)), cluster("app", plain(server.port()))));
    }

    private ListenerConfig gateway() {
        ServerTls tls = new ServerTls(List.of(mesh.credentials(EDGE)), List.of(), null);
        var goal = new GatewayChain.Goal.Bytes(List.of(new ClusterShare("app", 1)), Raw.NONE);
        return new ListenerConfig(
                "gateway",
                Direction.OUTBOUND,
                new InetSocketAddress(TestMesh.loopback(), 0),
                Destinations.LISTENER,
                new Routing.Gateway(List.of(new GatewayChain("edge", Set.of(), Set.of(), tls, goal))),
                Limits.DEFAULT);
    }

    private static ListenerConfig named(ListenerConfig some) {
        return new ListenerConfig(
                "listener", some.direction(), some.address(), some.destinations(), some.routing(), some.limits());
    }
}
