package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.loopback;
import static io.parley.proxy.app.TestMesh.outbound;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.Direction;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.HeaderMagic;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** To whom a proxy writes a connection header, by what was agreed on in the TLS handshake. */
class HeaderAgreementTest {
    private static final int HEADER = 30;

    private final TestMesh mesh = new TestMesh();
    private SSLServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = (SSLServerSocket) PeerProxy.context(mesh.credentials(SERVER))
                .getServerSocketFactory()
                .createServerSocket(0, 10, loopback());
        server.setNeedClientAuth(true);
    }

    @AfterEach
    void close() throws IOException {
        mesh.close();
        server.close();
    }

    @Test
    void theShippedHeaderIsForWhoAgreedToIt() throws IOException {
        agreeTo(ConnectionHeader.ALPN);
        Proxy proxy = proxyTo(HeaderMagic.SHIPPED);
        CompletableFuture<byte[]> came = serve();
        try (Client _ = Client.to(proxy.address("outbound")).send("x")) {
            assertThat(came.join()).startsWith("transport.l5d.io/v1\r\n\r\n".getBytes(US_ASCII));
        }
    }

    @Test
    void whoDidNotAgreeGetsNoByte() throws IOException {
        Proxy proxy = proxyTo(HeaderMagic.SHIPPED);
        CompletableFuture<byte[]> came = serve();
        try (Client _ = Client.to(proxy.address("outbound")).send("x")) {
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("unreachable");
        }
        assertThat(mesh.ending(Direction.OUTBOUND).detail())
                .contains("ALPN: nothing agreed on (expected: transport.l5d.io/v1");
        assertThat(came.join()).isEmpty();
    }

    @Test
    void theDocumentsHeaderNeedsNoAgreement() throws IOException {
        Proxy proxy = proxyTo(HeaderMagic.DOCUMENT);
        CompletableFuture<byte[]> came = serve();
        try (Client _ = Client.to(proxy.address("outbound")).send("12345678901")) {
            assertThat(came.join()).startsWith("l5d.io/proxy".getBytes(US_ASCII));
        }
    }

    private void agreeTo(String protocol) {
        SSLParameters parameters = server.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {protocol});
        server.setSSLParameters(parameters);
    }

    /** Takes connections, as an endpoint is tried more than once; what comes first on the first of them counts. */
    private CompletableFuture<byte[]> serve() {
        CompletableFuture<byte[]> came = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try (SSLSocket socket = (SSLSocket) server.accept()) {
                    came.complete(socket.getInputStream().readNBytes(HEADER));
                } catch (IOException e) {
                    came.complete(new byte[0]);
                }
            }
        });
        return came;
    }

    private Proxy proxyTo(HeaderMagic magic) {
        InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
        Endpoint.Mesh member =
                new Endpoint.Mesh(address, SERVER, PeerIdentity.serverName(SERVER), magic, null, Protocol.OPAQUE);
        return mesh.start(
                CLIENT,
                config(
                        List.of(outbound("app", declared(Protocol.OPAQUE))),
                        cluster("app", new Endpoint(new InetSocketAddress(loopback(), 3306), member))));
    }
}
