package io.parley.proxy.exchange;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Logged;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.telemetry.FailureLog;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What clients must not do is not only counted: a line tells of it, once a minute, with where the last of them comes from. */
class AbuseLogTest {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";
    private static final String PING = "\0\0\10\6\0\0\0\0\0abcdefgh";

    private final Logged logged = Logged.by(FailureLog.class);

    @AfterEach
    void close() {
        logged.close();
    }

    @Test
    void aRequestThatIsNoneIsLoggedOnce() throws IOException {
        try (Server server = Server.echo();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            for (int i = 0; i < 2; i++) {
                try (Client client = Client.to(proxy.address())) {
                    assertThat(client.send("GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n")
                                    .read(12))
                            .isEqualTo("HTTP/1.1 400");
                }
            }
        }
        assertLogged("host-twice");
    }

    @Test
    void soIsAFloodOfHttp2() throws IOException {
        try (Server server = Server.echo();
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address())) {
            client.send(PREFACE);
            byte[] pings = PING.repeat(100).getBytes(ISO_8859_1);
            try {
                for (int i = 0; i < 1_000; i++) {
                    client.send(pings);
                }
            } catch (IOException _) {
                // It was cut off, as it should be.
            }
            await().until(() -> proxy.abuses("ping-flood") == 1);
        }
        assertLogged("ping-flood");
    }

    private void assertLogged(String kind) {
        assertThat(logged.lines())
                .singleElement()
                .asString()
                .matches("clients of .* are turned away: the last one is 127\\.0\\.0\\.1:\\d+ \\(" + kind
                        + ", 1 times\\)");
    }
}
