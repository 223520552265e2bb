package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.GATEWAY;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.at;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.meshed;
import static io.parley.proxy.app.TestMesh.outbound;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.Direction;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A permission that is taken back is taken back from connections that are open, too. */
class RevocationTest {
    private final TestMesh mesh = new TestMesh();

    @AfterEach
    void close() {
        mesh.close();
    }

    @Test
    void onlyTheConnectionsOfWhoeverMayNoLongerAreCut() throws IOException {
        try (Server server = Server.echo()) {
            Proxy inbound = mesh.start(SERVER, allowing(server, CLIENT, GATEWAY));
            Proxy first = mesh.start(CLIENT, towards(server, inbound));
            Proxy second = mesh.start(GATEWAY, towards(server, inbound));
            try (Client revoked = Client.to(first.address("outbound"));
                    Client kept = Client.to(second.address("outbound"))) {
                assertThat(revoked.send("a").read(1)).isEqualTo("a");
                assertThat(kept.send("b").read(1)).isEqualTo("b");
                inbound.apply(at(inbound, allowing(server, GATEWAY)));
                assertThat(revoked.readAll()).isEmpty();
                assertThat(kept.send("c").read(1)).isEqualTo("c");
            }
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("revoked");
            String port = "{target=\"port " + server.port() + "\",client_id=\"";
            assertThat(inbound.machinery().telemetry().render())
                    .contains("inbound_tcp_authz_allow_total" + port + CLIENT + "\"} 1\n")
                    .contains("inbound_tcp_authz_allow_total" + port + GATEWAY + "\"} 1\n")
                    .contains("inbound_tcp_authz_terminate_total" + port + CLIENT + "\"} 1\n")
                    .doesNotContain("inbound_tcp_authz_terminate_total" + port + GATEWAY);
        }
    }

    /** The rules of when it came would let it in. */
    @Test
    void aConnectionThatIsOnItsWayInWhenThePermissionIsTakenBackIsRefused() throws IOException {
        try (Server server = Server.echo()) {
            Proxy inbound = mesh.start(SERVER, allowing(server, CLIENT, GATEWAY));
            String name = PeerIdentity.serverName(SERVER);
            try (PeerProxy peer = PeerProxy.connect(
                    inbound.address("inbound"), mesh.credentials(CLIENT), name, ConnectionHeader.ALPN)) {
                inbound.apply(at(inbound, allowing(server, GATEWAY)));
                peer.send(PeerProxy.bytes(ConnectionHeader.toPort(server.port(), null), "a"));
                assertThat(peer.isCutOff()).isTrue();
            }
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("denied");
            assertThat(inbound.machinery().telemetry().render())
                    .contains("inbound_tcp_authz_deny_total{target=\"port " + server.port() + "\",client_id=\"" + CLIENT
                            + "\"} 1\n");
        }
    }

    /** Nothing could take the permission back any more. */
    @Test
    void soIsOneWhoseListenerIsGone() throws IOException {
        try (Server server = Server.echo()) {
            Proxy inbound = mesh.start(SERVER, allowing(server, CLIENT));
            String name = PeerIdentity.serverName(SERVER);
            try (PeerProxy peer = PeerProxy.connect(
                    inbound.address("inbound"), mesh.credentials(CLIENT), name, ConnectionHeader.ALPN)) {
                inbound.apply(config(List.of()));
                peer.send(PeerProxy.bytes(ConnectionHeader.toPort(server.port(), null), "a"));
                assertThat(peer.isCutOff()).isTrue();
            }
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("denied");
        }
    }

    private static ProxyConfig allowing(Server server, SpiffeId... clients) {
        InboundPort port = new InboundPort(
                declared(Protocol.OPAQUE), new Authorization(Strangers.REFUSED, Set.of(clients), Set.of()));
        return config(List.of(inbound(Map.of(server.port(), port), TestMesh.strict(Protocol.DETECT))));
    }

    private static ProxyConfig towards(Server server, Proxy inbound) {
        return config(
                List.of(outbound("service", declared(Protocol.OPAQUE))),
                cluster("service", meshed(server.port(), inbound.address("inbound"), SERVER)));
    }
}
