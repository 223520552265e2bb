package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.Direction;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.listen.Proxy;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections on which message after message has passed, whose bytes then go straight from socket to socket. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongTalksTest {
    private static final int MESSAGES = 100;
    private static final int MUCH = 24 << 20;
    /** More than is there before the sender has begun. */
    private static final int SOME = 64 << 10;

    private final TestMesh mesh = new TestMesh();

    @AfterEach
    void close() {
        mesh.close();
    }

    private Proxy before(Server server) {
        return mesh.start(
                CLIENT,
                config(
                        List.of(outbound("service", declared(Protocol.OPAQUE))),
                        cluster("service", plain(server.port()))));
    }

    private static void talk(Client client) throws IOException {
        for (int i = 0; i < MESSAGES; i++) {
            String message = "message " + i;
            assertThat(client.send(message).read(message.length())).isEqualTo(message);
        }
    }

    /** The server's half of it. */
    private static void answer(Socket socket) throws IOException {
        for (int i = 0; i < MESSAGES; i++) {
            socket.getOutputStream().write(socket.getInputStream().readNBytes(("message " + i).length()));
        }
    }

    @Test
    void allThatPassesIsCounted() throws IOException {
        try (Server server = Server.that(LongTalksTest::answer)) {
            Proxy proxy = before(server);
            try (Client client = Client.to(proxy.address("outbound"))) {
                talk(client);
                var session = proxy.machinery().sessions().list().iterator().next();
                // The first ten have a digit less.
                long all = (long) MESSAGES * "message 00".length() - 10;
                assertThat(session.received()).isEqualTo(all);
                assertThat(session.sent()).isEqualTo(all);
            }
        }
    }

    @Test
    void eachSideMayEndItsOutputByItself() throws IOException {
        try (Server server = Server.that(socket -> {
            answer(socket);
            byte[] rest = socket.getInputStream().readAllBytes();
            socket.getOutputStream().write(rest);
        })) {
            try (Client client = Client.to(before(server).address("outbound"))) {
                talk(client);
                assertThat(client.send("the end").finishSending().readAll()).isEqualTo("the end");
            }
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("client-closed");
        }
    }

    @Test
    void whatTheServerDoesNotTakeYetReachesItWholeAndInOrder() throws Exception {
        long seed = System.nanoTime();
        byte[] data = new byte[MUCH];
        new Random(seed).nextBytes(data);
        CountDownLatch go = new CountDownLatch(1);
        try (Server server = Server.that(socket -> {
            answer(socket);
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            byte[] all = socket.getInputStream().readAllBytes();
            socket.getOutputStream().write(Arrays.equals(all, data) ? 1 : 0);
        })) {
            Proxy proxy = before(server);
            try (Client client = Client.to(proxy.address("outbound"))) {
                client.socket().setSendBufferSize(64 << 10);
                talk(client);
                Thread sender = Thread.ofVirtual().start(() -> {
                    try {
                        client.send(data).finishSending();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
                awaitStandstill(proxy);
                go.countDown();
                assertThat(client.socket().getInputStream().read())
                        .as("seed %d", seed)
                        .isEqualTo(1);
                sender.join();
            }
        }
    }

    /** Until nothing more is taken: what the kernel's buffers hold, and one buffer of ours. */
    private static void awaitStandstill(Proxy proxy) {
        AtomicLong last = new AtomicLong();
        await().pollInterval(Duration.ofMillis(300)).until(() -> {
            long now = proxy.machinery().sessions().list().iterator().next().received();
            return now > SOME && last.getAndSet(now) == now;
        });
        assertThat(last.get()).isLessThan(MUCH);
    }

    @Test
    void aResetOfTheServerIsOneForTheClient() throws IOException {
        try (Server server = Server.that(socket -> {
            answer(socket);
            socket.setSoLinger(true, 0);
        })) {
            try (Client client = Client.to(before(server).address("outbound"))) {
                talk(client);
                assertThatThrownBy(client::readAll).hasMessageContaining("reset");
            }
        }
    }

    @Test
    void aResetOfTheClientIsOneForTheServer() throws Exception {
        CountDownLatch reset = new CountDownLatch(1);
        try (Server server = Server.that(socket -> {
            answer(socket);
            assertThatThrownBy(() -> socket.getInputStream().read()).hasMessageContaining("reset");
            reset.countDown();
        })) {
            try (Client client = Client.to(before(server).address("outbound"))) {
                talk(client);
                client.socket().setSoLinger(true, 0);
            }
            reset.await();
        }
    }
}
