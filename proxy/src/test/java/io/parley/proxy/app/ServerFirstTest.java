package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.TIMEOUTS;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.meshed;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.strict;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.channel.DefaultChannelPipeline;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.listen.Proxy;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Undeclared servers that speak first, or late, or not at all, and peers that vanish meanwhile; through both proxies. */
class ServerFirstTest {
    private static final String BANNER = "220 ready\r\n";

    /** Detection ends so soon that a test can outlast it. */
    private static final Timeouts BRIEF = new Timeouts(
            Duration.ofMillis(10),
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            TIMEOUTS.header(),
            TIMEOUTS.handshake(),
            TIMEOUTS.connect(),
            TIMEOUTS.idle(),
            TIMEOUTS.drain());

    private final TestMesh mesh = new TestMesh();
    private final CountDownLatch now = new CountDownLatch(1);

    @AfterEach
    void close() {
        now.countDown();
        mesh.close();
    }

    @Test
    void aServerThatGreetsLongAfterTheTimeForDetectionIsHeard() throws IOException {
        try (Server server = Server.that(this::greetThen)) {
            InetSocketAddress address = through(server.address());
            try (Client client = Client.to(address)) {
                await().until(() -> server.accepted() == 1);
                outlastDetection(address);
                now.countDown();
                assertThat(client.read(BANNER.length())).isEqualTo(BANNER);
                assertThat(client.send("EHLO a\r\n").read(8)).isEqualTo("EHLO a\r\n");
            }
            assertThat(server.accepted()).as("one for each client").isEqualTo(2);
        }
    }

    @Test
    void aServerThatNeverSpeaksLeavesTheWordToItsClient() throws IOException {
        try (Server server = Server.echo()) {
            InetSocketAddress address = through(server.address());
            try (Client client = Client.to(address)) {
                await().until(() -> server.accepted() == 1);
                outlastDetection(address);
                assertThat(client.send("*1\r\n$4\r\nPING\r\n").read(14)).isEqualTo("*1\r\n$4\r\nPING\r\n");
            }
            await().until(() -> mesh.decisions(Direction.OUTBOUND).contains("opaque by detected"));
            assertThat(server.accepted()).as("one for each client").isEqualTo(2);
        }
    }

    @Test
    void aServerThatLeavesWithoutAWordTakesItsClientAlong() throws IOException {
        try (Server server = Server.that(_ -> {})) {
            try (Client client = Client.to(through(server.address()))) {
                assertThat(client.readAll()).isEmpty();
            }
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("server-closed");
            assertThat(server.accepted()).isEqualTo(1);
        }
    }

    @Test
    void aServerThatVanishesBeforeItSpokeIsAResetForItsClient() throws IOException {
        try (Server server = Server.that(socket -> socket.setSoLinger(true, 0));
                Client client = Client.to(through(server.address()))) {
            assertThatThrownBy(client::readAll).isInstanceOf(IOException.class);
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("reset");
        }
    }

    @Test
    void aServerThatIsNotThereIsAResetForItsClient() throws IOException {
        InetSocketAddress nobody;
        try (Server server = Server.echo()) {
            nobody = server.address();
        }
        try (Client client = Client.to(through(nobody))) {
            assertThatThrownBy(client::readAll).isInstanceOf(IOException.class);
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("unreachable");
        }
    }

    /** It accepts and says nothing, so that the handshake with it is under way for as long as it takes. */
    @Test
    void aClientThatVanishesWhileItsServerIsDialledLeavesNothingBehind() throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        try (Server mute = Server.that(socket -> {
            try {
                socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            } finally {
                left.countDown();
            }
        })) {
            Proxy proxy = outboundTo(meshed(1, mute.address(), SERVER));
            Client client = Client.to(proxy.address("outbound"));
            await().until(() -> mute.accepted() == 1);
            client.socket().setSoLinger(true, 0);
            client.close();
            left.await();
            await().until(() -> proxy.machinery().sessions().count() == 0);
            assertThat(mute.accepted()).as("nobody dials for one who is gone").isEqualTo(1);
        }
    }

    @Test
    void aClientThatVanishesBeforeItsServerSpokeTakesItAlong() throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        try (Server server = Server.that(socket -> {
            assertThat(socket.getInputStream().read()).isNegative();
            left.countDown();
        })) {
            try (Logged netty = Logged.by(DefaultChannelPipeline.class)) {
                try (Client client = Client.to(through(server.address()))) {
                    await().until(() -> server.accepted() == 1);
                    client.socket().setSoLinger(true, 0);
                }
                left.await();
                assertThat(netty.lines())
                        .as("no stack trace for each client that resets")
                        .isEmpty();
            }
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("client-closed");
        }
    }

    /** As {@code nc HOST PORT </dev/null} does, to see who answers. */
    @Test
    void aClientThatEndsItsOutputAfterTheDialStillHearsTheServer() throws IOException {
        try (Server server = Server.that(socket -> {
            assertThat(socket.getInputStream().read()).isNegative();
            socket.getOutputStream().write(BANNER.getBytes(ISO_8859_1));
        })) {
            try (Client client = Client.to(through(server.address()))) {
                await().until(() -> server.accepted() == 1);
                assertThat(client.finishSending().readAll()).isEqualTo(BANNER);
            }
            assertThat(server.accepted()).isEqualTo(1);
        }
    }

    @Test
    void theBinaryGreetingOfMysqlArrivesAsItIs() throws IOException {
        // Protocol version 10: length, sequence, version, thread, scramble, flags, and the name of how to prove
        // oneself.
        byte[] greeting = HexFormat.of()
                .parseHex("4a0000000a382e302e33360008000000" + "3b1f5e2d6a4c7b2900ffffff0200ffdf15000000000000000000"
                        + "00652f4d1c3a5b6e7f0a4b3c2d006d7973716c5f6e61746976655f70617373776f726400");
        try (Server server = Server.that(socket -> {
                    socket.getOutputStream().write(greeting);
                    socket.getInputStream().transferTo(socket.getOutputStream());
                });
                Client client = Client.to(through(server.address()))) {
            assertThat(client.read(greeting.length)).isEqualTo(new String(greeting, ISO_8859_1));
            byte[] login = {0x20, 0, 0, 1, (byte) 0x8d, (byte) 0xa6, 0x03, 0};
            assertThat(client.send(login).read(login.length)).isEqualTo(new String(login, ISO_8859_1));
            assertThat(mesh.decision(Direction.OUTBOUND)).isEqualTo("opaque by server-spoke-first");
            assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("opaque by server-spoke-first");
        }
    }

    @Test
    void whereBothSpeakAtOnceAsWithSshNothingIsLostAndNobodyIsDialledTwice() throws IOException {
        String theirs = "SSH-2.0-server\r\n";
        String ours = "SSH-2.0-client\r\n";
        try (Server server = Server.greeting(theirs)) {
            InetSocketAddress address = through(server.address());
            for (int i = 1; i <= 30; i++) {
                try (Client client = Client.to(address)) {
                    // Now at once, now when the server has been dialled for a silent client.
                    int wanted = i % 2 == 0 ? i : i - 1;
                    await().until(() -> server.accepted() >= wanted);
                    assertThat(client.send(ours).read(32)).isEqualTo(theirs + ours);
                }
                assertThat(server.accepted()).isEqualTo(i);
            }
        }
    }

    @Test
    void manyClientsAtOnceAreEachGreetedByOneConnection() throws Exception {
        try (Server server = Server.greeting(BANNER);
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            InetSocketAddress address = through(server.address());
            List<Future<String>> heard = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                heard.add(clients.submit(() -> {
                    try (Client client = Client.to(address)) {
                        return client.read(BANNER.length());
                    }
                }));
            }
            for (Future<String> one : heard) {
                assertThat(one.get()).isEqualTo(BANNER);
            }
            assertThat(server.accepted()).isEqualTo(300);
        }
    }

    private void greetThen(Socket socket) throws IOException {
        try {
            now.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        socket.getOutputStream().write(BANNER.getBytes(ISO_8859_1));
        socket.getInputStream().transferTo(socket.getOutputStream());
    }

    /** Waits until another client, whose first byte proves nothing, has been given up on. */
    private void outlastDetection(InetSocketAddress address) throws IOException {
        try (Client _ = Client.to(address).send("G")) {
            await().until(() -> mesh.decisions(Direction.OUTBOUND).contains("opaque by detect-timeout"));
        }
    }

    private InetSocketAddress through(InetSocketAddress server) {
        Proxy inbound = mesh.start(SERVER, config(BRIEF, List.of(inbound(Map.of(), strict(Protocol.DETECT)))));
        return outboundTo(meshed(server.getPort(), inbound.address("inbound"), SERVER))
                .address("outbound");
    }

    private Proxy outboundTo(Endpoint endpoint) {
        return mesh.start(
                CLIENT,
                config(BRIEF, List.of(outbound("service", declared(Protocol.DETECT))), cluster("service", endpoint)));
    }
}
