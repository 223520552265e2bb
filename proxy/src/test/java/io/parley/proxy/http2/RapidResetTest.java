package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How many requests a client may call off (CVE-2023-44487): the application beside the proxy is trusted with more than a stranger. */
class RapidResetTest {
    /** More than a stranger may. */
    private static final int SOME = 250;

    /** A proxy whose clients are strangers. */
    static HttpProxy edge(int port) {
        return HttpProxy.with(
                HttpConfig.simple("edge", "app", Forwarding.EDGE), HttpProxy.cluster("app", Version.HTTP2, port));
    }

    private static void callOff(FramePeer client, int stream) throws IOException {
        client.open(stream, 0, "POST", "/");
        client.reset(stream, Http2Error.CANCEL);
    }

    /** Calls of gRPC that are not answered by their deadline are reset by whoever made them. */
    @Test
    void anApplicationMayCallOffItsOwnCallsAtTheirDeadlines() throws IOException {
        try (Server server = FramePeer.echo();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            for (int i = 0; i < SOME; i++) {
                callOff(client, 2 * i + 1);
            }
            client.open(2 * SOME + 1, LAST, "GET", "/last");
            assertThat(client.message(2 * SOME + 1).text()).isEqualTo("GET /last ");
            assertThat(proxy.abuses("rapid-reset")).isZero();
        }
    }

    @Test
    void butNotMostOfVeryMany() throws IOException {
        try (Server server = FramePeer.echo();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            Thread flood = Thread.ofVirtual().start(() -> callOffAll(client));
            assertThat(client.farewell()).isIn(Http2Error.ENHANCE_YOUR_CALM, null);
            await().until(() -> proxy.abuses("rapid-reset") == 1 && !flood.isAlive());
        }
    }

    /** Streams that are read until nobody wants more of them end so, one by one. */
    @Test
    void norDoThoseCountThatTakeTheirTime() throws IOException {
        try (Server server = FramePeer.echo();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            int stream = -1;
            for (int day = 0; day < 10; day++) {
                for (int i = 0; i < 150; i++) {
                    callOff(client, stream += 2);
                }
                client.open(stream += 2, LAST, "GET", "/" + day);
                assertThat(client.message(stream).text()).isEqualTo("GET /" + day + " ");
                proxy.pass(Duration.ofSeconds(31));
            }
            assertThat(proxy.abuses("rapid-reset")).isZero();
        }
    }

    private static void callOffAll(FramePeer client) {
        try {
            for (int i = 0; i < 10_000; i++) {
                callOff(client, 2 * i + 1);
            }
        } catch (IOException _) {
            // It has hung up.
        }
    }

    @Test
    void aStrangerMayCallOffFew() throws IOException {
        try (Server server = FramePeer.server(FramePeer::drain);
                HttpProxy proxy = edge(server.port());
                FramePeer client = FramePeer.client(proxy.address())) {
            for (int i = 0; i < SOME; i++) {
                callOff(client, 2 * i + 1);
            }
            assertThat(client.farewell()).isIn(Http2Error.ENHANCE_YOUR_CALM, null);
            assertThat(proxy.abuses("rapid-reset")).isEqualTo(1);
        }
    }
}
