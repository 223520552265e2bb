package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2FrameTypes.GO_AWAY;
import static io.netty.handler.codec.http2.Http2FrameTypes.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that ask for more streams at a time than they may have: 100. */
class RefusedStreamsTest {
    private static final int LIMIT = 100;
    private static final int FORGIVEN = 200;

    private final CountDownLatch answering = new CountDownLatch(1);
    private Server server;
    private HttpProxy proxy;
    private FramePeer client;
    private int asked;

    @BeforeEach
    void start() throws IOException {
        server = FramePeer.server(this::answerLater);
        proxy = HttpProxy.to(server.port(), Version.HTTP2);
        client = FramePeer.client(proxy.address());
    }

    @AfterEach
    void close() throws IOException {
        answering.countDown();
        client.close();
        proxy.close();
        server.close();
    }

    /** RFC 9113 6.5.2: until it has heard of a limit there is none. */
    @Test
    void aClientThatHasNotHeardOfTheLimitIsForgivenABurstBeyondIt() throws IOException {
        ask(LIMIT + FORGIVEN + 1);
        for (int i = LIMIT; i < asked; i++) {
            assertThat(client.message(stream(i)).reset()).isEqualTo(Http2Error.REFUSED_STREAM);
        }
        answering.countDown();
        areAnswered();
        ask(1);
        assertThat(client.message(stream(asked - 1)).text()).isEqualTo("late");
        assertThat(proxy.abuses("refused-streams")).isZero();
        assertThat(proxy.abuses("made-reset")).isZero();
    }

    /** Content of requests that were refused long ago may still be under way. */
    @Test
    void soIsOneWithContent() throws IOException {
        int all = LIMIT + 3 * FORGIVEN;
        for (int i = 0; i < all; i++) {
            client.open(stream(i), 0, "POST", "/");
        }
        for (int i = 0; i < all; i++) {
            client.data(stream(i), FramePeer.LAST, "a");
        }
        answering.countDown();
        areAnswered();
        assertThat(proxy.abuses("made-reset")).isZero();
    }

    @Test
    void oneThatKnowsOfItIsLeftWithAnswersToWhatWasTaken() throws IOException {
        client.await(SETTINGS);
        ask(LIMIT + FORGIVEN + 1);
        FramePeer.Frame goodbye = client.await(GO_AWAY);
        assertThat(goodbye.number(0)).isEqualTo(stream(asked - 1));
        assertThat(goodbye.number(4)).isEqualTo(Http2Error.NO_ERROR.code());
        ask(1);
        answering.countDown();
        areAnswered();
        assertThat(proxy.abuses("refused-streams")).isEqualTo(1);
        assertThat(client.farewell()).isNull();
    }

    @Test
    void oneThatGoesOnAllTheSameIsCutOff() throws IOException {
        Thread flood = Thread.ofVirtual().start(() -> {
            try {
                ask(20_000);
            } catch (IOException _) {
                // It has hung up.
            }
        });
        await().until(() -> proxy.abuses("refused-streams") == 2 && !flood.isAlive());
    }

    private static int stream(int request) {
        return 2 * request + 1;
    }

    private void ask(int more) throws IOException {
        for (int end = asked + more; asked < end; asked++) {
            client.get(stream(asked), "/");
        }
    }

    private void areAnswered() throws IOException {
        for (int i = 0; i < LIMIT; i++) {
            assertThat(client.message(stream(i)).text()).isEqualTo("late");
        }
    }

    private void answerLater(FramePeer peer) throws IOException {
        int[] first = new int[LIMIT];
        for (int i = 0; i < LIMIT; i++) {
            first[i] = peer.request();
        }
        try {
            answering.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        for (int stream : first) {
            answer(peer, stream);
        }
        while (true) {
            answer(peer, peer.request());
        }
    }

    private static void answer(FramePeer peer, int stream) throws IOException {
        peer.headers(stream, 0, ":status", "200");
        peer.data(stream, FramePeer.LAST, "late");
    }
}
