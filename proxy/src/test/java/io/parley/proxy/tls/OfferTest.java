package io.parley.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.Protocol;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who reads no connection header is told in the handshake which version of HTTP comes: Envoy chooses by it what it does with a connection. */
class OfferTest {
    private static final int PORT = 8443;

    @ParameterizedTest
    @CsvSource({"HTTP1, http/1.1", "HTTP2, h2", "NOTHING,"})
    void aPeerWithoutHeadersIsToldWhatComes(MeshTls.Offer offer, @Nullable String expected) throws SSLException {
        MeshCredentials held = TestMesh.issue(TestMesh.authority(), TestMesh.SERVER, Duration.ofHours(1));
        Endpoint.Mesh peer = new Endpoint.Mesh(
                new InetSocketAddress(TestMesh.loopback(), PORT),
                TestMesh.SERVER,
                PeerIdentity.serverName(TestMesh.SERVER),
                null,
                null,
                Protocol.DETECT);
        MeshTls tls = new MeshTls(() -> Optional.of(held), Clock.systemUTC());
        SslHandler client = tls.client(ByteBufAllocator.DEFAULT, peer, offer);

        Rehearsal.of(client, tls.server(ByteBufAllocator.DEFAULT, MeshTls.Listening.APPLICATION_PORT));

        assertThat(client.handshakeFuture().isSuccess()).isTrue();
        assertThat(client.applicationProtocol()).isEqualTo(expected);
        tls.close();
    }
}
