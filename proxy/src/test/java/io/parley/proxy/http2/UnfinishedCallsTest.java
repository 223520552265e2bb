package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http2.FramePeer.Message;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that a server says it has not looked at goes elsewhere, although its client has not sent all of it. */
class UnfinishedCallsTest {
    /** A server that refuses the first request, when its content has begun if there is to be some, and answers the next with what came. */
    private static Server refusingTheFirst(boolean content) throws IOException {
        return FramePeer.server(peer -> {
            int refused = peer.request();
            if (content) {
                peer.await(Http2FrameTypes.DATA);
            }
            peer.reset(refused, Http2Error.REFUSED_STREAM);
            int taken = peer.request();
            Message request = peer.message(taken);
            peer.headers(taken, 0, ":status", "200");
            peer.data(taken, LAST, request.text() + " " + request.trailers().get("x-sum"));
            peer.drain();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itIsSentAgainAndTheRestFollows(boolean content) throws IOException {
        try (Server server = refusingTheFirst(content);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, 0, "POST", "/a.B/C", "content-type", "application/grpc", "te", "trailers");
            if (content) {
                client.data(1, 0, "one");
            }
            await().until(() -> proxy.counted("http_retries_total") == 1);
            client.data(1, 0, "two");
            client.headers(1, LAST, "x-sum", "7");
            assertThat(client.message(1).text()).isEqualTo((content ? "one" : "") + "two 7");
        }
    }

    @Test
    void oneThatHasEndedWithTrailersIsSentAgainWithThem() throws IOException {
        try (Server server = FramePeer.server(peer -> {
                    int refused = peer.request();
                    peer.message(refused);
                    peer.reset(refused, Http2Error.REFUSED_STREAM);
                    int taken = peer.request();
                    Message request = peer.message(taken);
                    peer.headers(taken, 0, ":status", "200");
                    peer.data(
                            taken,
                            LAST,
                            request.text() + " " + request.trailers().get("x-sum"));
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, 0, "POST", "/a", "te", "trailers");
            client.data(1, 0, "all");
            client.headers(1, LAST, "x-sum", "7");
            assertThat(client.message(1).text()).isEqualTo("all 7");
        }
    }
}
