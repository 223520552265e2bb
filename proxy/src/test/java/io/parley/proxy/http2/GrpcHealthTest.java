package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.HealthCheck;
import io.parley.proxy.config.HttpUpstream.Question;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Route;
import io.parley.proxy.http2.FramePeer.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** gRPC's health service, asked by the proxy. */
class GrpcHealthTest {
    private static final int SERVING = 1;
    private static final int NOT_SERVING = 2;

    /** Of those who are not well. */
    private final AtomicInteger checks = new AtomicInteger();

    /** A server of gRPC that answers health checks with this status, and everything else with its name. */
    private Server server(int status, String name) throws IOException {
        return FramePeer.server(peer -> {
            while (true) {
                int stream = peer.request();
                Message request = peer.message(stream);
                peer.headers(stream, 0, ":status", "200", "content-type", "application/grpc");
                if (request.head().path().toString().equals("/grpc.health.v1.Health/Check")) {
                    assertThat(request.text()).isEqualTo("\u0000\u0000\u0000\u0000\u0006\n\u0004shop");
                    checks.addAndGet(status == SERVING ? 0 : 1);
                    peer.data(stream, 0, "\u0000\u0000\u0000\u0000\u0002\b" + (char) status);
                } else {
                    peer.data(stream, 0, name);
                }
                peer.headers(stream, LAST, "grpc-status", "0");
            }
        });
    }

    @Test
    void onlyEndpointsThatServeGetCalls() throws IOException {
        HealthCheck check = new HealthCheck(
                Duration.ofMillis(20), Duration.ofSeconds(5), 1, 1, new Question.Grpc("shop", "shop.example"));
        try (Server fine = server(SERVING, "fine");
                Server sick = server(NOT_SERVING, "sick");
                HttpProxy proxy = HttpProxy.routing(
                        List.of(Route.to("app")),
                        HttpProxy.cluster(
                                "app",
                                new HttpUpstream(Version.HTTP2, 100, null, List.of(check)),
                                fine.port(),
                                sick.port()));
                FramePeer client = FramePeer.client(proxy.address())) {
            // Who is asked again has been heard.
            await().until(() -> checks.get() >= 2);
            for (int i = 0; i < 30; i++) {
                client.open(2 * i + 1, LAST, "POST", "/shop.Shop/Buy");
                assertThat(client.message(2 * i + 1).text()).isEqualTo("fine");
            }
        }
    }
}
