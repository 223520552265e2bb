package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields with underscores in their names, which are dashes to some servers: applications use them, strangers use them to deceive. */
class UnderscoresTest {
    @ParameterizedTest
    @EnumSource
    void anApplicationMayNameItsFieldsAsItLikes(Version version) throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            assertThat(status(proxy, version, "user_id")).isEqualTo("200");
            assertThat(server.requests()).singleElement().asString().contains("user_id: 7");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x_forwarded_for", "X-Forwarded_Client-Cert", "l5d_client_id", "content_length"})
    void butNotAsWhatServersBelieve(String name) throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            assertThat(status(proxy, Version.HTTP1, name)).isEqualTo("400");
            assertThat(status(proxy, Version.HTTP2, name)).isEqualTo("reset");
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void aStrangerMayUseNone() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.with(
                        HttpConfig.simple("edge", "app", Forwarding.EDGE),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()))) {
            assertThat(status(proxy, Version.HTTP1, "user_id")).isEqualTo("400");
            assertThat(status(proxy, Version.HTTP2, "user_id")).isEqualTo("reset");
            assertThat(server.requests()).isEmpty();
        }
    }

    private static String status(HttpProxy proxy, Version version, String field) throws IOException {
        if (version == Version.HTTP1) {
            try (Client client = Client.to(proxy.address())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n" + field + ": 7\r\n\r\n");
                return client.read(12).substring("HTTP/1.1 ".length());
            }
        }
        try (FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "GET", "/", field.toLowerCase(Locale.ROOT), "7");
            FramePeer.Message answer = client.message(1);
            return answer.heads().isEmpty() ? "reset" : answer.status();
        }
    }
}
