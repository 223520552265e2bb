package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A proxy with as much to do as it can. */
class OverloadedTest {
    private static final int PER_CONNECTION = 100;

    @Test
    void c34_whatIsTooMuchIsRefusedUntilThereIsRoomAgain() throws IOException {
        HttpUpstream patient = new HttpUpstream(Version.HTTP2, 20_000, null, List.of());
        List<FramePeer> clients = new ArrayList<>();
        try (Server server = FramePeer.server(FramePeer::drain);
                HttpProxy proxy = HttpProxy.with(
                        HttpProxy.routed(List.of(Route.to("app"))), HttpProxy.cluster("app", patient, server.port()))) {
            for (int i = 0; i <= 10_000 / PER_CONNECTION; i++) {
                FramePeer client = FramePeer.client(proxy.address());
                clients.add(client);
                for (int j = 0; j < PER_CONNECTION; j++) {
                    client.get(2 * j + 1, "/");
                }
            }
            FramePeer late = FramePeer.client(proxy.address());
            clients.add(late);
            await().until(() -> proxy.errors("overload") > 0);
            late.open(1, LAST, "POST", "/a.B/C", "content-type", "application/grpc");
            assertThat(late.message(1).field("grpc-status")).isEqualTo("14");
            assertThat(late.message(1).field("x-parley-error")).isEqualTo("overload");
            for (FramePeer client : clients.subList(0, 50)) {
                client.close();
            }
            await().until(() -> {
                long before = proxy.errors("overload");
                late.get(3 + 2 * Math.toIntExact(before), "/");
                return proxy.errors("overload") == before;
            });
        } finally {
            for (FramePeer client : clients) {
                client.close();
            }
        }
    }
}
