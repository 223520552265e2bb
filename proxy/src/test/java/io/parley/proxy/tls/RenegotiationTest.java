package io.parley.proxy.tls;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.parley.identity.certificate.Credentials;
import io.parley.proxy.app.PeerProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.ServerTls;
import io.parley.proxy.listen.Proxy;
import io.parley.wire.header.ConnectionHeader;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/**
 * A client of TLS 1.2 that asks for another handshake on its connection is refused and left (attack 20): signing costs the server far more than asking costs
 * the client (CVE-2011-1473).
 */
class RenegotiationTest {
    private static final int PATIENCE_MILLIS = 15_000;
    private static final String PORT = "listens on ";
    private static final String[] TLS_1_2 = {"TLSv1.2"};

    private static byte[] bytes(String text) {
        return text.getBytes(US_ASCII);
    }

    /** Sends what {@code "ping"} must come back for, and asks for another handshake then. */
    private static void assertRefused(
            SSLContext context, SSLParameters parameters, InetSocketAddress address, byte[] sent) throws IOException {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setSSLParameters(parameters);
            socket.connect(address, PATIENCE_MILLIS);
            socket.getOutputStream().write(sent);
            assertThat(socket.getInputStream().readNBytes(4)).isEqualTo(bytes("ping"));
            assertThatThrownBy(() -> {
                        socket.startHandshake();
                        socket.getOutputStream().write(bytes("pong"));
                        if (socket.getInputStream().read() < 0) {
                            throw new EOFException();
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void c20_byAProxy() throws IOException, GeneralSecurityException {
        try (TestMesh mesh = new TestMesh();
                Server server = Server.echo()) {
            Proxy proxy = mesh.start(
                    SERVER, TestMesh.config(List.of(TestMesh.inbound(Map.of(), TestMesh.strict(Protocol.DETECT)))));
            ResumptionTest.Counting counting = new ResumptionTest.Counting();
            SSLParameters parameters = new SSLParameters(null, TLS_1_2);
            parameters.setApplicationProtocols(new String[] {ConnectionHeader.ALPN});
            parameters.setServerNames(List.of(new SNIHostName(PeerIdentity.serverName(SERVER))));
            assertRefused(
                    ResumptionTest.context(mesh.credentials(CLIENT), counting),
                    parameters,
                    proxy.address("inbound"),
                    PeerProxy.bytes(ConnectionHeader.toPort(server.port(), null), "ping"));
            assertThat(mesh.over(Direction.INBOUND).ending()).isNotNull();
            assertThat(counting.shown).hasValue(1);
        }
    }

    /** The JDK's TLS reads once whether to refuse it: so that is looked at in a process of its own. */
    @Test
    void c20_byAGatewayForWhichBoringSslDoesNotLoad() throws IOException, GeneralSecurityException {
        Process gateway = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dio.netty.handler.ssl.noOpenSsl=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RenegotiationTest.class.getName())
                .redirectErrorStream(true)
                .start();
        try (var lines = gateway.inputReader()) {
            String line = lines.readLine();
            while (line != null && !line.startsWith(PORT)) {
                line = lines.readLine();
            }
            assertThat(line).isNotNull();
            ResumptionTest.Counting counting = new ResumptionTest.Counting();
            assertRefused(
                    ResumptionTest.context(gateways(), counting),
                    new SSLParameters(null, TLS_1_2),
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(), Integer.parseInt(line.substring(PORT.length()))),
                    bytes("ping"));
            assertThat(counting.shown).hasValue(1);
        } finally {
            gateway.destroyForcibly();
        }
    }

    private static Credentials gateways() {
        return TestMesh.authority().issueServer(List.of("a.example"), List.of(), Duration.ofHours(1));
    }

    /** The process. */
    public static void main(String[] arguments) throws IOException {
        if (TlsLibrary.isNative()) {
            throw new IllegalStateException("BoringSSL has loaded");
        }
        TlsServer server = TlsServer.of(new ServerTls(List.of(gateways()), List.of(), null));
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        System.out.println(PORT + ResumptionTest.listen(server, loop).getPort());
    }
}
