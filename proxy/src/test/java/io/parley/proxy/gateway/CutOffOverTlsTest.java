package io.parley.proxy.gateway;

import static io.parley.proxy.gateway.Gateway.host;
import static io.parley.proxy.gateway.Gateway.listener;
import static io.parley.proxy.gateway.Gateway.routes;
import static io.parley.proxy.gateway.Gateway.to;
import static io.parley.proxy.gateway.Gateway.toRoutes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.proxy.app.Server;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.net.InetAddress;
import java.security.KeyStore;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

class CutOffOverTlsTest {
    private static final String HTTPS = "gateway:infra/edge:443";
    private static final int PATIENCE_MILLIS = 15_000;

    private static SSLSocket connect(int port) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null);
        trusted.setCertificateEntry("authority", TlsTest.AUTHORITY.certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /** To a client of HTTP/1.0 an answer without a length ends with TLS's goodbye, which must not be said then. */
    @Test
    void anAnswerThatIsCutOffDoesNotLookFinished() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        try (Gateway gateway = new Gateway();
                Server server = Server.that(socket -> {
                    socket.getInputStream().read(new byte[1_024]);
                    socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nhalf of it".getBytes(US_ASCII));
                    await(seen);
                    socket.setSoLinger(true, 0);
                })) {
            gateway.backend(Gateway.http1("app"), server.port())
                    .tell(ResourceType.SECRET, TlsTest.secret("infra/a", TlsTest.A))
                    .tell(ResourceType.ROUTE, routes(HTTPS + "/a", host("*", to("/", "app"))))
                    .tell(
                            ResourceType.LISTENER,
                            listener(HTTPS)
                                    .addFilterChains(TlsTest.ended("infra/a", toRoutes(HTTPS + "/a")))
                                    .build());
            try (SSLSocket client = connect(gateway.address(HTTPS).getPort())) {
                client.getOutputStream().write("GET / HTTP/1.0\r\nHost: a.example\r\n\r\n".getBytes(US_ASCII));
                StringBuilder begin = new StringBuilder();
                while (begin.indexOf("half of it") < 0) {
                    begin.append((char) client.getInputStream().read());
                }
                assertThat(begin.toString()).startsWith("HTTP/1.1 200").doesNotContain("chunked");
                seen.countDown();
                assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
            }
        }
    }

    private static void await(CountDownLatch seen) throws IOException {
        try {
            seen.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
