package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2CodecUtil.SETTINGS_INITIAL_WINDOW_SIZE;
import static io.netty.handler.codec.http2.Http2CodecUtil.SETTINGS_MAX_CONCURRENT_STREAMS;
import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Route;
import io.parley.proxy.http2.FramePeer.Frame;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What those who share a connection to a server of HTTP/2 do to each other. */
class SharedConnectionTest {
    /** A server that fails what it is asked for is judged by that: the end of its connection would fail everybody's requests. */
    @Test
    void requestsThatAServerResetsOrAnswersWronglyEndNobodyElses() throws IOException {
        int failing = 600;
        try (Server server = FramePeer.server(peer -> {
                    int slow = peer.request();
                    for (int i = 0; i < failing; i++) {
                        int stream = peer.request();
                        if (i < failing / 2) {
                            peer.reset(stream, Http2Error.INTERNAL_ERROR);
                        } else {
                            peer.headers(stream, LAST, "no", "status");
                        }
                    }
                    peer.headers(slow, 0, ":status", "200");
                    peer.data(slow, LAST, "ok");
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/slow");
            for (int i = 1; i <= failing; i++) {
                client.get(2 * i + 1, "/");
                assertThat(client.message(2 * i + 1).status()).isEqualTo("502");
            }
            assertThat(client.message(1).text()).isEqualTo("ok");
            assertThat(server.accepted()).isEqualTo(1);
        }
    }

    @Test
    void anEndpointThatResetsEveryStreamIsLeftOut() throws IOException {
        HttpUpstream strict = new HttpUpstream(Version.HTTP2, 10_000, new HttpUpstream.Outliers(0, 5), List.of());
        try (Server bad = FramePeer.server(peer -> {
                    while (true) {
                        peer.reset(peer.request(), Http2Error.INTERNAL_ERROR);
                    }
                });
                Server good = FramePeer.echo();
                HttpProxy proxy = HttpProxy.routing(
                        List.of(Route.to("app")), HttpProxy.cluster("app", strict, bad.port(), good.port()));
                FramePeer client = FramePeer.client(proxy.address())) {
            AtomicInteger stream = new AtomicInteger(-1);
            // One that was slow to answer the first time is left out for a while by the balancer alone.
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                int id = stream.addAndGet(2);
                client.open(id, LAST, "POST", "/");
                client.message(id);
                return proxy.ejected("app") == 1;
            });
            int last = stream.addAndGet(2);
            client.open(last, LAST, "POST", "/");
            assertThat(client.message(last).text()).isEqualTo("POST / ");
        }
    }

    /** Many that come at once, when no connection is open yet. */
    @Test
    void aBurstIsAnsweredByAServerThatTakesFewRequests() throws IOException {
        int burst = 30;
        AtomicInteger refused = new AtomicInteger();
        try (Server server = FramePeer.server(
                        peer -> {
                            while (true) {
                                int stream = peer.request();
                                peer.send(Http2FrameTypes.PING, 0, 0, new byte[8]);
                                for (Frame next = peer.next();
                                        next.type() != Http2FrameTypes.PING;
                                        next = peer.next()) {
                                    if (next.type() == Http2FrameTypes.HEADERS) {
                                        refused.incrementAndGet();
                                        peer.reset(next.stream(), Http2Error.REFUSED_STREAM);
                                    }
                                }
                                peer.headers(stream, 0, ":status", "200");
                                peer.data(stream, LAST, "ok");
                            }
                        },
                        SETTINGS_MAX_CONCURRENT_STREAMS,
                        1);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            for (int i = 0; i < burst; i++) {
                client.open(2 * i + 1, LAST, "POST", "/");
            }
            for (int i = 0; i < burst; i++) {
                assertThat(client.message(2 * i + 1).text()).isEqualTo("ok");
            }
            assertThat(refused).as("of its first connection only").hasValueLessThan(burst);
        }
    }

    /** A kept connection that ends without a word, as many servers have it when they are killed. */
    @Test
    void aRequestThatMayBeRepeatedOutlivesItsConnection() throws IOException {
        AtomicInteger connections = new AtomicInteger();
        try (Server server = FramePeer.server(peer -> {
                    boolean dies = connections.incrementAndGet() == 1;
                    while (true) {
                        int stream = peer.request();
                        if (dies && stream > 1) {
                            return;
                        }
                        peer.headers(stream, 0, ":status", "200");
                        peer.data(stream, LAST, "ok");
                    }
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            for (int stream = 1; stream <= 5; stream += 2) {
                client.get(stream, "/");
                assertThat(client.message(stream).text()).isEqualTo("ok");
            }
            assertThat(connections).hasValue(2);
        }
    }

    @Test
    void clientsThatDoNotReadHoldUpNobodyElse() throws IOException {
        int stalled = 30;
        try (Server server = FramePeer.server(peer -> {
                    for (int i = 0; i < stalled; i++) {
                        int stream = peer.request();
                        peer.headers(stream, 0, ":status", "200");
                        for (int sent = 0; sent < 60_000; sent += 15_000) {
                            peer.data(stream, 0, "x".repeat(15_000));
                        }
                    }
                    int stream = peer.request();
                    peer.headers(stream, 0, ":status", "200");
                    peer.data(stream, LAST, "ok");
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer hostile = FramePeer.client(proxy.address(), SETTINGS_INITIAL_WINDOW_SIZE, 0);
                FramePeer client = FramePeer.client(proxy.address())) {
            for (int i = 0; i < stalled; i++) {
                hostile.get(2 * i + 1, "/large");
                hostile.request();
            }
            client.get(1, "/");
            assertThat(client.message(1).text()).isEqualTo("ok");
            assertThat(server.accepted()).isEqualTo(1);
        }
    }
}
