package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.GATEWAY;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.loopback;
import static io.parley.proxy.app.TestMesh.plain;
import static io.parley.proxy.app.TestMesh.strict;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufUtil;
import io.parley.agreement.port.PortSet;
import io.parley.proxy.config.Application;
import io.parley.proxy.Direction;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Routing;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.ConnectionHeader.Stage;
import io.parley.wire.header.HeaderMagic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A gateway that is told neither a port nor a name, as the design document allows. */
class UnnamedGatewayTest {
    private static final String SERVICE = "db.svc.cluster.local";

    private final TestMesh mesh = new TestMesh();

    @AfterEach
    void close() {
        mesh.close();
    }

    @Test
    void goesByTheNameInTheApplicationsOwnTls() throws IOException {
        byte[] hello = hello(SERVICE);
        byte[] header = PeerProxy.bytes(new ConnectionHeader(HeaderMagic.DOCUMENT, 0, null, null, Stage.SETTLED), "");
        try (Server server = Server.echo()) {
            Proxy gateway = gateway(server);
            try (PeerProxy peer = connect(gateway)) {
                assertThat(peer.send(header).send(hello).read(hello.length)).isEqualTo(new String(hello, ISO_8859_1));
            }
            try (PeerProxy peer = connect(gateway)) {
                assertThat(peer.send(hello).read(hello.length)).isEqualTo(new String(hello, ISO_8859_1));
            }
            assertThat(server.accepted()).isEqualTo(2);
        }
    }

    @Test
    void refusesNamesThatItDoesNotPassOn() throws IOException {
        try (Server server = Server.echo();
                PeerProxy peer = connect(gateway(server))) {
            assertThat(peer.send(hello("evil.example")).isCutOff()).isTrue();
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("gateway-without-name");
            assertThat(server.accepted()).isZero();
        }
    }

    /** Design, 6.2: what was agreed on by ALPN must come, and be of the form that was agreed on. */
    @Test
    void withAHeaderAgreedOnNothingElseWillDo() throws IOException {
        byte[] document = PeerProxy.bytes(new ConnectionHeader(HeaderMagic.DOCUMENT, 0, null, null, Stage.SETTLED), "");
        try (Server server = Server.echo()) {
            Proxy gateway = gateway(server);
            for (byte[] other : List.of(hello(SERVICE), document)) {
                try (PeerProxy peer = connect(gateway, ConnectionHeader.ALPN)) {
                    assertThat(peer.send(other).isCutOff()).isTrue();
                }
            }
            await().until(() -> mesh.ended().size() == 2);
            assertThat(mesh.ended())
                    .extracting(
                            session -> Objects.requireNonNull(session.ending()).cause())
                    .containsExactly("no-header", "no-header");
            assertThat(server.accepted()).isZero();
        }
    }

    private Proxy gateway(Server server) {
        OutboundTarget target = new OutboundTarget(SERVICE + ":3306", declared(Protocol.TLS), "db");
        Routing.ToApplication routing = new Routing.ToApplication(
                Map.of(),
                PortSet.EMPTY,
                strict(Protocol.DETECT),
                strict(Protocol.DETECT),
                Application.at(loopback()),
                Map.of(SERVICE + ":3306", target),
                Set.of("svc.cluster.local"));
        return mesh.start(GATEWAY, config(List.of(inbound(routing)), cluster("db", plain(server.port()))));
    }

    private PeerProxy connect(Proxy gateway, String... alpn) throws IOException {
        return PeerProxy.connect(
                gateway.address("inbound"), mesh.credentials(CLIENT), PeerIdentity.serverName(GATEWAY), alpn);
    }

    private static byte[] hello(String name) {
        return ByteBufUtil.getBytes(Hello.forName(name));
    }
}
