package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.Http2Error;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A browser sends each of its cookies as a field of its own over HTTP/2 (RFC 9113 8.2.3), and as one over HTTP/1. */
class CookiesTest {
    private static final int MOST_FIELDS = 100;

    private static String[] cookies(int count, String value) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            fields.addAll(List.of("cookie", "c" + i + "=" + value));
        }
        return fields.toArray(String[]::new);
    }

    @Test
    void areOneFieldHoweverManyThereAre() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "GET", "/", cookies(3 * MOST_FIELDS, "1"));
            assertThat(client.message(1).status()).isEqualTo("200");
            assertThat(server.requests().getFirst())
                    .containsOnlyOnce("cookie: c0=1; c1=1; ")
                    .contains("; c299=1\r\n");
        }
    }

    @Test
    void makeNoRoomForOtherFields() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            List<String> fields = new ArrayList<>(List.of(cookies(MOST_FIELDS, "1")));
            for (int i = 0; i < MOST_FIELDS; i++) {
                fields.addAll(List.of("x-" + i, "y"));
            }
            client.open(1, LAST, "GET", "/", fields.toArray(String[]::new));
            assertThat(client.message(1).reset()).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void countByTheirBytesLikeEverythingElse() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            // RFC 9113 6.5.2: 32 bytes for each, beside its own.
            client.open(1, LAST, "GET", "/", cookies(1_600, ""));
            assertThat(client.message(1).status()).isEqualTo("431");
            assertThat(server.requests()).isEmpty();
        }
    }
}
