package io.parley.proxy.tls;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyStores;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.PeerProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.ServerTls;
import io.parley.proxy.listen.Proxy;
import io.parley.wire.header.ConnectionHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every handshake shows certificates: a session that goes on from an earlier one would carry an identity that has ended, or been replaced,
 * since.
 */
class ResumptionTest {
    private static final int CONNECTIONS = 3;

    /** Counts the certificates that it is shown, and believes them all. */
    static final class Counting implements X509TrustManager {
        final AtomicInteger shown = new AtomicInteger();

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {
            shown.incrementAndGet();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            shown.incrementAndGet();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void thereIsNoneBetweenProxies(String version) throws IOException, GeneralSecurityException {
        try (TestMesh mesh = new TestMesh();
                Server server = Server.echo()) {
            Proxy proxy = mesh.start(
                    SERVER, TestMesh.config(List.of(TestMesh.inbound(Map.of(), TestMesh.strict(Protocol.DETECT)))));
            Counting counting = new Counting();
            SSLContext context = context(mesh.credentials(CLIENT), counting);
            for (int i = 0; i < CONNECTIONS; i++) {
                SSLParameters parameters = new SSLParameters(null, new String[] {version});
                parameters.setApplicationProtocols(new String[] {ConnectionHeader.ALPN});
                parameters.setServerNames(List.of(new SNIHostName(PeerIdentity.serverName(SERVER))));
                byte[] header = PeerProxy.bytes(ConnectionHeader.toPort(server.port(), null), "ping");
                assertThat(ask(context, parameters, proxy.address("inbound"), header))
                        .isEqualTo("ping");
            }
            assertThat(counting.shown).hasValue(CONNECTIONS);
        }
    }

    /** A proxy offers no session either, to a server that would take it. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aProxyAsksForNone(String version) throws IOException, GeneralSecurityException {
        Counting counting = new Counting();
        try (TestMesh mesh = new TestMesh();
                SSLServerSocket server = (SSLServerSocket) context(mesh.credentials(SERVER), counting)
                        .getServerSocketFactory()
                        .createServerSocket(0, CONNECTIONS, TestMesh.loopback())) {
            server.setEnabledProtocols(new String[] {version});
            server.setNeedClientAuth(true);
            Thread.ofVirtual().start(() -> greetAll(server));
            InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
            Endpoint.Mesh member =
                    new Endpoint.Mesh(address, SERVER, PeerIdentity.serverName(SERVER), null, null, Protocol.OPAQUE);
            Proxy proxy = mesh.start(
                    CLIENT,
                    TestMesh.config(
                            List.of(TestMesh.outbound("app", TestMesh.declared(Protocol.OPAQUE))),
                            TestMesh.cluster("app", new Endpoint(address, member))));
            for (int i = 0; i < CONNECTIONS; i++) {
                try (Client client = Client.to(proxy.address("outbound"))) {
                    assertThat(client.read(4)).isEqualTo("hi\r\n");
                }
            }
            assertThat(counting.shown).hasValue(CONNECTIONS);
        }
    }

    private static void greetAll(SSLServerSocket server) {
        try {
            while (true) {
                try (Socket socket = server.accept()) {
                    socket.getOutputStream().write("hi\r\n".getBytes(StandardCharsets.US_ASCII));
                    socket.getInputStream().readAllBytes();
                }
            }
        } catch (IOException _) {
            // The test is over.
        }
    }

    /** Nor is there any with a gateway's clients, who may have to show certificates as well. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void thereIsNoneWithClientsOfAGateway(String version) throws IOException, GeneralSecurityException {
        CertificateAuthority authority = TestMesh.authority();
        Credentials shown = authority.issueServer(List.of("a.example"), List.of(), Duration.ofHours(1));
        TlsServer server = TlsServer.of(new ServerTls(List.of(shown), List.of(), null));
        Counting counting = new Counting();
        SSLContext context = context(shown, counting);
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            InetSocketAddress address = listen(server, loop);
            for (int i = 0; i < CONNECTIONS; i++) {
                SSLParameters parameters = new SSLParameters(null, new String[] {version});
                byte[] ping = "ping".getBytes(StandardCharsets.US_ASCII);
                assertThat(ask(context, parameters, address, ping)).isEqualTo("ping");
            }
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
        assertThat(counting.shown).hasValue(CONNECTIONS);
    }

    /** Shakes hands as a gateway does, and then sends back what it gets. */
    static InetSocketAddress listen(TlsServer server, EventLoopGroup loop) {
        return (InetSocketAddress) new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(server.handler(channel.alloc(), null), new Echo());
                    }
                })
                .bind(TestMesh.loopback(), 0)
                .syncUninterruptibly()
                .channel()
                .localAddress();
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.writeAndFlush(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }

    static SSLContext context(Credentials credentials, X509TrustManager trust)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStores.IN_MEMORY);
        store.load(null, null);
        store.setKeyEntry(
                "peer", credentials.key(), new char[0], credentials.chain().toArray(X509Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), new TrustManager[] {trust}, null);
        return context;
    }

    /** What is read is where a ticket would come, if there were one. The same address each time, as that is what sessions are kept by. */
    private static String ask(SSLContext context, SSLParameters parameters, InetSocketAddress address, byte[] sent)
            throws IOException {
        Socket plain = new Socket(address.getAddress(), address.getPort());
        try (SSLSocket socket = (SSLSocket)
                context.getSocketFactory().createSocket(plain, address.getHostString(), address.getPort(), true)) {
            socket.setSSLParameters(parameters);
            socket.getOutputStream().write(sent);
            return new String(socket.getInputStream().readNBytes(4), StandardCharsets.US_ASCII);
        }
    }
}
