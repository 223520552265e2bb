package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.app.TestMesh.strict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.DefaultChannelPipeline;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.telemetry.FailureLog;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What scanners, health checks and wrong clients leave in the log. */
class FailedHandshakesTest {
    private static final int CLIENTS = 4;

    private final TestMesh mesh = new TestMesh();
    private final Logged netty = Logged.by(DefaultChannelPipeline.class);
    private final Logged refusals = Logged.by(FailureLog.class);

    @AfterEach
    void close() {
        mesh.close();
        netty.close();
        refusals.close();
    }

    @Test
    void clientsWithoutACertificateAreOneLineAndNoStackTrace() throws IOException {
        Proxy proxy = mesh.start(SERVER, config(List.of(inbound(Map.of(), strict(Protocol.DETECT)))));
        for (int i = 0; i < CLIENTS; i++) {
            withoutCertificate(proxy.address("inbound"));
        }
        isToldOnce("inbound");
    }

    @Test
    void neitherAreThoseOnAPortOfTheApplication() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = mesh.start(SERVER, config(List.of(redirected(server.port(), strict(Protocol.DETECT)))));
            for (int i = 0; i < CLIENTS; i++) {
                withoutCertificate(proxy.address("redirected"));
            }
            isToldOnce("redirected");
        }
    }

    private void isToldOnce(String listener) {
        await().until(() -> mesh.ended().size() == CLIENTS);
        assertThat(netty.lines()).isEmpty();
        assertThat(refusals.lines())
                .singleElement()
                .asString()
                .startsWith("connections to " + listener + " are refused: ")
                .contains("CERTIFICATE", "from 127.0.0.1:")
                .endsWith("(tls-handshake, 1 times)");
    }

    private static void withoutCertificate(InetSocketAddress address) {
        try (PeerProxy peer =
                PeerProxy.connect(address, null, PeerIdentity.serverName(SERVER), ConnectionHeader.ALPN)) {
            assertThat(peer.isCutOff()).isTrue();
        } catch (IOException _) {
            // With the handshake, or with the first bytes.
        }
    }
}
