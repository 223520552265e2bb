package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2CodecUtil.SETTINGS_INITIAL_WINDOW_SIZE;
import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What those who share a connection to a server of HTTP/2 do to each other. */
class SharedConnectionTest {
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
