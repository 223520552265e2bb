package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2CodecUtil.SETTINGS_INITIAL_WINDOW_SIZE;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.Http2Error;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.proxy.http.Route;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Streams that do not get on, on a connection on which others do. */
class SlowStreamsTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(1);

    private static HttpProxy proxy(int port, HttpTimeouts timeouts) {
        return HttpProxy.with(
                HttpProxy.routed(List.of(Route.to("app")), timeouts, HttpLimits.DEFAULT),
                HttpProxy.cluster("app", Version.AS_RECEIVED, port));
    }

    @Test
    void c25_aBodyThatDoesNotEndIsGivenUp() throws IOException {
        try (Server server = FramePeer.echo();
                HttpProxy proxy = proxy(server.port(), new HttpTimeouts(LONG, LONG, LONG, SHORT));
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, 0, "POST", "/");
            client.data(1, 0, "abc");
            assertThat(client.message(1).status()).isEqualTo("408");
            assertThat(proxy.abuses("request-timeout")).isEqualTo(1);
            client.get(3, "/next");
            assertThat(client.message(3).text()).isEqualTo("GET /next ");
        }
    }

    @Test
    void c25_aClientThatOpensNoWindowIsLeft() throws IOException {
        try (RecordingServer server = RecordingServer.answering(
                        _ -> "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n" + "x".repeat(100_000));
                HttpProxy proxy = HttpProxy.with(
                        HttpProxy.routed(
                                List.of(Route.to("app")),
                                new HttpTimeouts(LONG, LONG, SHORT, LONG),
                                HttpLimits.DEFAULT),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()));
                FramePeer client = FramePeer.client(proxy.address(), SETTINGS_INITIAL_WINDOW_SIZE, 1)) {
            client.get(1, "/");
            assertThat(client.message(1).reset()).isEqualTo(Http2Error.INTERNAL_ERROR);
            assertThat(proxy.errors("stream-idle")).isEqualTo(1);
        }
    }
}
