package io.parley.proxy.http2;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.GATEWAY;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.at;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.meshed;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.app.TestMesh.strict;
import static io.parley.proxy.http2.FramePeer.LAST;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.PeerProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.config.Balancing;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.Direction;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Outliers;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.http2.FramePeer.Message;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.SessionProtocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A member of the mesh that may not use a port is told so if it speaks HTTP, and not left to guess why its connections end. */
class DeniedCallsTest {
    private static final String NAME = PeerIdentity.serverName(SERVER);
    private static final String GET = "GET /a HTTP/1.1\r\nHost: app.example\r\n\r\n";
    private static final Outliers STERN = new Outliers(1, 1);

    private final TestMesh mesh = new TestMesh();

    @AfterEach
    void close() {
        mesh.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"DETECT", "HTTP1"})
    void aRequestOverHttp1IsForbiddenAndTheNextOneIsJudgedAnew(Protocol protocol) throws IOException {
        try (Server server = Server.echo()) {
            Proxy inbound = mesh.start(SERVER, allowing(server, protocol, GATEWAY));
            Proxy outbound = towards(server, inbound, protocol);
            try (Client client = Client.to(outbound.address("outbound"))) {
                assertThat(client.ask(GET)).isEqualTo("access denied\n");
                assertThat(client.ask(GET)).isEqualTo("access denied\n");
                assertThat(server.accepted()).isZero();
                inbound.apply(at(inbound, allowing(server, protocol, CLIENT)));
                assertThat(client.ask(GET)).startsWith("GET /a ");
            }
            assertTold(server, inbound);
            assertThat(ejected(outbound)).as("it is not the endpoint's fault").isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"DETECT", "HTTP2", "GRPC"})
    void soIsOneOverHttp2(Protocol protocol) throws IOException {
        try (Server server = FramePeer.echo()) {
            Proxy inbound = mesh.start(SERVER, allowing(server, protocol, GATEWAY));
            Proxy outbound = towards(server, inbound, protocol);
            try (FramePeer client = FramePeer.client(outbound.address("outbound"))) {
                client.get(1, "/a");
                assertForbidden(client.message(1));
                client.open(3, 0, "POST", "/b");
                assertForbidden(client.message(3));
                assertThat(server.accepted()).isZero();
                inbound.apply(at(inbound, allowing(server, protocol, CLIENT)));
                client.get(5, "/c");
                assertThat(client.message(5).text()).isEqualTo("GET /c ");
            }
            assertTold(server, inbound);
            assertThat(ejected(outbound)).isZero();
        }
    }

    @Test
    void aCallOfGrpcIsToldByItsStatus() throws IOException {
        try (Server server = FramePeer.echo()) {
            Proxy inbound = mesh.start(SERVER, allowing(server, Protocol.DETECT, GATEWAY));
            Proxy outbound = towards(server, inbound, Protocol.DETECT);
            try (FramePeer client = FramePeer.client(outbound.address("outbound"))) {
                client.open(1, LAST, "POST", "/s/m", "content-type", "application/grpc", "te", "trailers");
                Message answer = client.message(1);
                assertThat(answer.status()).isEqualTo("200");
                assertThat(answer.heads()).as("the trailers are all there is").hasSize(1);
                assertThat(answer.field("grpc-status")).isEqualTo("7");
                assertThat(answer.field("grpc-message")).isEqualTo("access denied");
                assertThat(answer.text()).isEmpty();
            }
            assertThat(server.accepted()).isZero();
        }
    }

    @Test
    void aConnectionOfHttp1EndsWithTheAnswerHoweverMuchIsToCome() throws IOException {
        try (Server server = Server.echo()) {
            Proxy inbound = mesh.start(SERVER, allowing(server, Protocol.DETECT, GATEWAY));
            try (PeerProxy peer = connect(inbound)) {
                peer.send(PeerProxy.bytes(
                        ConnectionHeader.toPort(server.port(), SessionProtocol.HTTP1),
                        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nhello"));
                assertThat(peer.readAll())
                        .startsWith("HTTP/1.1 403 ")
                        .contains("x-parley-error: denied\r\n")
                        .contains("connection: close\r\n");
            }
            assertTold(server, inbound);
            assertThat(server.accepted()).isZero();
        }
    }

    /** Its proxy, too, must hear the answer, and not only that nobody takes the rest. */
    @Test
    void aLargeRequestIsAnsweredBeforeItsEnd() throws IOException {
        byte[] body = new byte[8 << 20];
        try (Server server = Server.echo()) {
            Proxy inbound = mesh.start(SERVER, allowing(server, Protocol.DETECT, GATEWAY));
            Proxy outbound = towards(server, inbound, Protocol.DETECT);
            for (int i = 0; i < 10; i++) {
                try (Client client = Client.to(outbound.address("outbound"))) {
                    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length + "\r\n\r\n");
                    assertThat(client.send(body).read(12)).isEqualTo("HTTP/1.1 403");
                }
            }
            assertThat(server.accepted()).isZero();
        }
    }

    /** RFC 9113 6.8: no stream is named, so that whatever is on its way is answered as well. */
    @Test
    void aConnectionOfHttp2IsLeftWithTheFirstAnswerAndEnds() throws IOException {
        try (Server server = FramePeer.echo()) {
            Proxy inbound = mesh.start(SERVER, allowing(server, Protocol.DETECT, GATEWAY));
            try (PeerProxy peer = connect(inbound)) {
                peer.send(PeerProxy.bytes(ConnectionHeader.toPort(server.port(), SessionProtocol.HTTP2), ""));
                FramePeer client = FramePeer.on(peer.socket());
                client.get(1, "/a");
                assertThat(client.await(Http2FrameTypes.GO_AWAY).number(4)).isEqualTo(Http2Error.NO_ERROR.code());
                assertForbidden(client.message(1));
                client.get(3, "/b");
                assertForbidden(client.message(3));
                mesh.pass(Duration.ofSeconds(6));
                client.drain();
            }
            assertTold(server, inbound);
        }
    }

    @Test
    void soIsWhoeverComesToThePortItself() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy =
                    mesh.start(SERVER, config(List.of(redirected(server.port(), guarded(Protocol.DETECT, GATEWAY)))));
            try (PeerProxy peer = PeerProxy.connect(proxy.address("redirected"), mesh.credentials(CLIENT), NAME)) {
                assertThat(peer.send(GET.getBytes(ISO_8859_1)).readAll()).startsWith("HTTP/1.1 403 ");
            }
            assertTold(server, proxy);
            assertThat(server.accepted()).isZero();
        }
    }

    @Test
    void aStrangerIsToldNothing() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = mesh.start(SERVER, config(List.of(redirected(server.port(), strict(Protocol.DETECT)))));
            try (Client client = Client.to(proxy.address("redirected"))) {
                assertThat(isCutOff(client, GET)).isTrue();
            }
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("denied");
            assertThat(server.accepted()).isZero();
        }
    }

    @Test
    void whatIsOnlyBytesIsCutOff() throws IOException {
        try (Server server = Server.echo()) {
            Proxy inbound = mesh.start(SERVER, allowing(server, Protocol.DETECT, GATEWAY));
            Proxy outbound = towards(server, inbound, Protocol.DETECT);
            try (Client client = Client.to(outbound.address("outbound"))) {
                assertThat(isCutOff(client, "*1\r\n$4\r\nPING\r\n")).isTrue();
            }
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("denied");
            assertThat(server.accepted()).isZero();
        }
    }

    /** Nothing was permitted that could be taken back. */
    @Test
    void aChangeOfTheRulesEndsNoConnectionThatIsBeingTold() throws IOException {
        try (Server server = Server.echo()) {
            Proxy inbound = mesh.start(SERVER, allowing(server, Protocol.DETECT, CLIENT));
            try (PeerProxy peer = connect(inbound)) {
                inbound.apply(at(inbound, allowing(server, Protocol.DETECT, GATEWAY)));
                peer.send(PeerProxy.bytes(
                        ConnectionHeader.toPort(server.port(), SessionProtocol.HTTP1), "GET / HTTP/1.1\r\nHost:"));
                mesh.agreed(Direction.INBOUND);
                inbound.apply(at(inbound, allowing(server, Protocol.DETECT, GATEWAY, SERVER)));
                peer.send(" a\r\n\r\n".getBytes(ISO_8859_1));
                assertThat(peer.readAll()).startsWith("HTTP/1.1 403 ");
            }
            assertTold(server, inbound);
        }
    }

    private static boolean isCutOff(Client client, String text) {
        try {
            return client.send(text).readAll().isEmpty();
        } catch (IOException e) {
            return true;
        }
    }

    private static void assertForbidden(Message answer) {
        assertThat(answer.status()).isEqualTo("403");
        assertThat(answer.field("x-parley-error")).isEqualTo("denied");
        assertThat(answer.text()).isEqualTo("access denied\n");
    }

    /** It was counted, has ended for that, and does not count as one that was allowed. */
    private void assertTold(Server server, Proxy proxy) {
        String series = "{target=\"port " + server.port() + "\",client_id=\"" + CLIENT + "\"} ";
        assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("denied");
        assertThat(mesh.ending(Direction.INBOUND).detail())
                .isEqualTo("port " + server.port() + " is not for " + CLIENT);
        assertThat(proxy.machinery().telemetry().render())
                .contains("inbound_tcp_authz_deny_total" + series)
                .contains("inbound_tcp_errors_total{error=\"denied\"} ")
                .doesNotContain("inbound_tcp_authz_terminate_total{");
    }

    private static long ejected(Proxy outbound) {
        long now = outbound.machinery().surroundings().ticker().getAsLong();
        return outbound.machinery().clusters().find("app").orElseThrow().endpoints().stream()
                .filter((LiveEndpoint endpoint) -> endpoint.isEjected(now))
                .count();
    }

    private PeerProxy connect(Proxy inbound) throws IOException {
        return PeerProxy.connect(inbound.address("inbound"), mesh.credentials(CLIENT), NAME, ConnectionHeader.ALPN);
    }

    private Proxy towards(Server server, Proxy inbound, Protocol protocol) {
        InetSocketAddress proxy = inbound.address("inbound");
        HttpUpstream http = new HttpUpstream(Version.AS_RECEIVED, 10_000, STERN, List.of());
        ClusterConfig cluster = new ClusterConfig(
                "app",
                List.of(meshed(server.port(), proxy, SERVER)),
                new ClusterConfig.Breaker(100, 100, 1, Duration.ofMinutes(1), 100),
                http,
                new Balancing.LeastLoaded(),
                null,
                null);
        return mesh.start(CLIENT, config(List.of(outbound("app", declared(protocol))), cluster));
    }

    private static InboundPort guarded(Protocol protocol, SpiffeId... clients) {
        return new InboundPort(declared(protocol), new Authorization(Strangers.REFUSED, Set.of(clients), Set.of()));
    }

    private static ProxyConfig allowing(Server server, Protocol protocol, SpiffeId... clients) {
        return config(List.of(inbound(Map.of(server.port(), guarded(protocol, clients)), strict(Protocol.DETECT))));
    }
}
