package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2FrameTypes.SETTINGS;
import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A client of HTTP/2 that ends its output, and may still read. */
class HalfCloseTest {
    @Test
    void aClientThatEndsItsOutputIsAnsweredAndThenLeft() throws IOException {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    ended.join();
                    peer.headers(stream, 0, ":status", "200");
                    peer.data(stream, LAST, "late");
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.await(SETTINGS);
            client.get(1, "/");
            client.socket().shutdownOutput();
            ended.complete(null);
            assertThat(client.message(1).text()).isEqualTo("late");
            assertThat(client.farewell()).isEqualTo(Http2Error.NO_ERROR);
            await().until(() -> proxy.connections() == 0);
        }
    }

    @Test
    void aClientThatEndsItsOutputAmidARequestIsLeft() throws IOException {
        try (Server server = FramePeer.server(FramePeer::drain);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.await(SETTINGS);
            client.open(1, 0, "POST", "/");
            client.data(1, 0, "some");
            await().until(() -> proxy.counted("request_total") == 1);
            client.socket().shutdownOutput();
            assertThat(client.message(1).reset()).isEqualTo(Http2Error.CANCEL);
            await().until(() -> proxy.connections() == 0);
        }
    }

    @Test
    void aClientThatEndsItsOutputWithoutARequestIsLeft() throws IOException {
        try (Server server = FramePeer.echo();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.await(SETTINGS);
            client.socket().shutdownOutput();
            assertThat(client.farewell()).isEqualTo(Http2Error.NO_ERROR);
            await().until(() -> proxy.connections() == 0);
        }
    }
}
