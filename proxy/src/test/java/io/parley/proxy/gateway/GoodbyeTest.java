package io.parley.proxy.gateway;

import static io.parley.proxy.gateway.Gateway.to;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** An answer that its server ends with the connection is finished only if TLS says so (RFC 9112 9.8). */
class GoodbyeTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    private static SSLContext context() throws Exception {
        KeyStore keys = KeyStore.getInstance(KeyStore.getDefaultType());
        keys.load(null, null);
        keys.setKeyEntry("own", TlsTest.A.key(), new char[0], TlsTest.A.chain().toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    /** A server that answers by TLS, and then ends it like this. */
    private static Server server(SSLContext context, Server.Talk end) throws IOException {
        return Server.that(socket -> {
            SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(socket, null, false);
            tls.setUseClientMode(false);
            tls.getInputStream().read(new byte[1_024]);
            tls.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nsome of it".getBytes(US_ASCII));
            end.with(tls);
        });
    }

    private static void leave(Socket tls) {
        // The socket below is closed behind it, without a word.
    }

    private static Client ask(Gateway gateway, Server server) throws IOException {
        gateway.backend(TlsTest.secured(Gateway.http1("one"), TlsTest.upstream("a.example")), server.port())
                .http(to("/", "one"));
        return Client.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()))
                .send(GET);
    }

    @Test
    void whatEndsWithAGoodbyeIsFinished() throws Exception {
        try (Gateway gateway = new Gateway();
                Server server = server(context(), Socket::close);
                Client client = ask(gateway, server)) {
            assertThat(client.readAll()).endsWith("a\r\nsome of it\r\n0\r\n\r\n");
        }
    }

    @Test
    void whatEndsWithoutOneIsCutOff() throws Exception {
        try (Gateway gateway = new Gateway();
                Server server = server(context(), GoodbyeTest::leave);
                Client client = ask(gateway, server)) {
            assertThatThrownBy(client::readAll).hasMessageContaining("reset");
        }
    }
}
