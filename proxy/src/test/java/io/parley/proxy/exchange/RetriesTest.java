package io.parley.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.RetryPolicy;
import io.parley.proxy.http.RetryPolicy.On;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is sent again when a server has read a request and dies. */
class RetriesTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab";

    /** How often a server sees a request that it never answers, where it may be sent twice more. */
    private static int seen(String request, On... on) throws IOException {
        RetryPolicy policy = new RetryPolicy(
                List.of(),
                Set.of(on),
                Set.of(),
                List.of(),
                Set.of(),
                2,
                null,
                Duration.ofMillis(1),
                Duration.ofMillis(2),
                100);
        try (Server dying = Server.that(socket -> socket.getInputStream().read(new byte[1_024]));
                HttpProxy proxy = HttpProxy.routing(
                        List.of(Routes.route(Routes.limited(null, policy))),
                        HttpProxy.cluster("app", Version.HTTP1, dying.port()));
                Client client = Client.to(proxy.address())) {
            assertThat(client.send(request).read(12)).isEqualTo("HTTP/1.1 502");
            return dying.accepted();
        }
    }

    /** The route's time goes on meanwhile, so that a wait can be seen to last longer than that. */
    @Test
    void whatHasFailedIsLeftAloneForAWhile() throws IOException {
        RetryPolicy policy = new RetryPolicy(
                List.of(),
                Set.of(On.SERVER_ERROR),
                Set.of(),
                List.of(),
                Set.of(),
                1,
                null,
                Duration.ofDays(1),
                Duration.ofDays(1),
                100);
        try (RecordingServer failing = RecordingServer.answering(
                        _ -> "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n");
                HttpProxy proxy = HttpProxy.routing(
                        List.of(Routes.route(Routes.limited(Duration.ofMinutes(1), policy))),
                        HttpProxy.cluster("app", Version.HTTP1, failing.port()));
                Client client = Client.to(proxy.address()).send(GET)) {
            await().until(() -> proxy.counted("http_retries_total") == 1);
            proxy.pass(Duration.ofMinutes(1));
            assertThat(client.read(12)).isEqualTo("HTTP/1.1 504");
            assertThat(failing.requests()).hasSize(1);
        }
    }

    @Test
    void aRequestThatMayDoHarmIsSentAgainOnlyIfThePolicySaysSo() throws IOException {
        assertThat(seen(POST, On.CONNECT_FAILURE)).isEqualTo(1);
        assertThat(seen(POST, On.HARMLESS_RESET)).isEqualTo(1);
        assertThat(seen(POST, On.RESET)).isEqualTo(3);
        assertThat(seen(GET, On.CONNECT_FAILURE)).isEqualTo(1);
        assertThat(seen(GET, On.HARMLESS_RESET)).isEqualTo(3);
    }
}
