package io.parley.proxy.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** How a WebSocket ends over HTTP/1: as any connection does, and without leaving anything behind. */
class TunnelEndTest {
    private static final String HANDSHAKE = String.join(
            "\r\n",
            "GET /chat HTTP/1.1",
            "Host: x",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
            "",
            "");
    private static final String SWITCHED = String.join(
            "\r\n",
            "HTTP/1.1 101 Switching Protocols",
            "connection: upgrade",
            "upgrade: websocket",
            "sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
            "",
            "");

    private static void readHandshake(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) socket.getInputStream().read());
        }
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    }

    /** A server that agrees to a WebSocket, and goes on like this. */
    private static Server agreeing(Server.Talk talk) throws IOException {
        return Server.that(socket -> {
            readHandshake(socket);
            write(socket, SWITCHED);
            talk.with(socket);
        });
    }

    @Test
    void aClientThatHasSaidAllStillHearsTheServer() throws IOException {
        try (Server server = agreeing(socket -> {
                    String said = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
                    write(socket, "you said " + said);
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                Client client = Client.to(proxy.address()).send(HANDSHAKE)) {
            assertThat(client.read(SWITCHED.length())).isEqualTo(SWITCHED);
            assertThat(client.send("bye").finishSending().readAll()).isEqualTo("you said bye");
            await().until(() -> proxy.connections() == 0);
        }
    }

    /** Else the server would talk to nobody for good. */
    @Test
    void aClientThatHasSaidAllBeforeItIsAnsweredHearsTheServerToo() throws IOException {
        CountDownLatch ended = new CountDownLatch(1);
        try (Server server = Server.that(socket -> {
                    readHandshake(socket);
                    await().until(() -> ended.getCount() == 0);
                    write(socket, SWITCHED);
                    assertThat(socket.getInputStream().read()).isEqualTo(-1);
                    write(socket, "bye");
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                Client client = Client.to(proxy.address())) {
            client.send(HANDSHAKE).finishSending();
            ended.countDown();
            assertThat(client.readAll()).isEqualTo(SWITCHED + "bye");
            await().until(() -> proxy.connections() == 0);
        }
    }

    @Test
    void aServerThatGoesOnAndSaysNothingIsNotWaitedForForEver() throws IOException {
        CountDownLatch cutOff = new CountDownLatch(1);
        try (Server server = agreeing(socket -> {
                    assertThat(socket.getInputStream().read()).isEqualTo(-1);
                    await().until(() -> cutOff.getCount() == 0);
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                Client client = Client.to(proxy.address()).send(HANDSHAKE)) {
            assertThat(client.read(SWITCHED.length())).isEqualTo(SWITCHED);
            client.finishSending();
            await().until(() -> {
                proxy.pass(Duration.ofMinutes(1));
                return proxy.connections() == 0;
            });
            assertThat(proxy.errors("stream-idle")).isEqualTo(1);
            assertThatThrownBy(client::readAll).hasMessageContaining("reset");
            cutOff.countDown();
        }
    }

    /** As over HTTP/2. */
    @Test
    void aClientThatTakesNothingIsLeft() throws IOException {
        try (Server server = agreeing(socket -> {
                    byte[] frames = new byte[1 << 20];
                    while (true) {
                        socket.getOutputStream().write(frames);
                    }
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                Client client = Client.to(proxy.address()).send(HANDSHAKE)) {
            assertThat(client.read(SWITCHED.length())).isEqualTo(SWITCHED);
            await().until(() -> {
                proxy.pass(Duration.ofMinutes(1));
                return proxy.connections() == 0;
            });
            assertThat(proxy.abuses("answer-timeout")).isEqualTo(1);
        }
    }

    /** What was cut off must not look finished. */
    @Test
    void aResetOfTheClientIsOneForTheServer() throws Exception {
        CountDownLatch reset = new CountDownLatch(1);
        try (Server server = agreeing(socket -> {
                    assertThatThrownBy(() -> socket.getInputStream().read()).hasMessageContaining("reset");
                    reset.countDown();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            try (Client client = Client.to(proxy.address()).send(HANDSHAKE)) {
                assertThat(client.read(SWITCHED.length())).isEqualTo(SWITCHED);
                client.socket().setSoLinger(true, 0);
            }
            await().until(() -> reset.getCount() == 0);
            await().until(() -> proxy.connections() == 0);
        }
    }

    @Test
    void aResetOfTheServerIsOneForTheClient() throws IOException {
        try (Server server = agreeing(socket -> {
                    assertThat(socket.getInputStream().read()).isEqualTo('x');
                    socket.setSoLinger(true, 0);
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                Client client = Client.to(proxy.address()).send(HANDSHAKE)) {
            assertThat(client.read(SWITCHED.length())).isEqualTo(SWITCHED);
            client.send("x");
            assertThatThrownBy(client::readAll).hasMessageContaining("reset");
            await().until(() -> proxy.connections() == 0);
        }
    }
}
