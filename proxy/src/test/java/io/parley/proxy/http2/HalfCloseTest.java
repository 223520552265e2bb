package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2FrameTypes.SETTINGS;
import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** RFC 9113 6.9.2: the window that a client has given by saying nothing. */
    private static final int WINDOW = 65_535;

    @ParameterizedTest
    @ValueSource(ints = {WINDOW + 1, 1_000_000})
    void whatNeedsMoreWindowThanAClientWillEverGiveIsCutOff(int length) throws IOException {
        try (RecordingServer server = RecordingServer.answering(_ -> answer(length, ""));
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.await(SETTINGS);
            client.get(1, "/");
            client.socket().shutdownOutput();
            FramePeer.Message message = client.message(1);
            assertThat(message.text()).hasSize(WINDOW);
            assertThat(message.reset()).isNotNull();
            assertThat(client.farewell()).isEqualTo(Http2Error.NO_ERROR);
            await().until(() -> proxy.connections() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x-sum: 1\r\n"})
    void whatJustFitsIntoTheWindowIsSentToItsEnd(String trailers) throws IOException {
        try (RecordingServer server = RecordingServer.answering(_ -> answer(WINDOW, trailers));
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.await(SETTINGS);
            client.get(1, "/");
            client.socket().shutdownOutput();
            FramePeer.Message message = client.message(1);
            assertThat(message.text()).hasSize(WINDOW);
            assertThat(message.reset()).isNull();
            assertThat(client.farewell()).isEqualTo(Http2Error.NO_ERROR);
        }
    }

    private static String answer(int length, String trailers) {
        String content = "x".repeat(length);
        return trailers.isEmpty()
                ? "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + content
                : "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(length) + "\r\n"
                        + content + "\r\n0\r\n" + trailers + "\r\n";
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
