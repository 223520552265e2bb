package io.parley.proxy.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** WebSockets to backends that may choose what they speak in TLS. */
class WebSocketOverTlsTest {
    private final Gateway gateway = new Gateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void case13_aBackendThatWouldChooseHttp2IsOfferedHttp1ForAWebSocket() throws Exception {
        try (SSLServerSocket server = TlsTest.withoutAlpn();
                Socket client = new Socket()) {
            SSLParameters both = server.getSSLParameters();
            both.setApplicationProtocols(new String[] {"h2", "http/1.1"});
            server.setSSLParameters(both);
            CompletableFuture<String> seen = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try (SSLSocket socket = (SSLSocket) server.accept()) {
                    String line = new BufferedReader(
                                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                            .readLine();
                    seen.complete(socket.getApplicationProtocol() + " " + line);
                } catch (IOException e) {
                    seen.completeExceptionally(e);
                }
            });
            gateway.backend(
                            TlsTest.secured(Gateway.negotiated("alpn"), TlsTest.upstream("a.example")),
                            server.getLocalPort())
                    .http(Gateway.to("/", "alpn"));
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
            client.getOutputStream().write("""
                GET /ws HTTP/1.1\r
                Host: a.example\r
                Connection: Upgrade\r
                Upgrade: websocket\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                \r
                """.getBytes(StandardCharsets.US_ASCII));

            assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo("http/1.1 GET /ws HTTP/1.1");
        }
    }
}
