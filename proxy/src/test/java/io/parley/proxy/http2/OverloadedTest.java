package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Fault;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    /** Trouble that is made on purpose for some must not become trouble for all. */
    @Test
    void noMoreRequestsAreDelayedThanLeaveRoomForOthers() throws IOException {
        Fault slow = new Fault(List.of(), new Fault.Delay(Duration.ofDays(1), 1_000_000), null, null);
        Route route = new Route(
                "r",
                RequestMatch.ANY,
                RouteAction.Forward.to("app"),
                FieldEdits.NONE,
                FieldEdits.NONE,
                new Policies(List.of(slow), null, Map.of(), null));
        List<FramePeer> clients = new ArrayList<>();
        try (Server server = FramePeer.echo();
                HttpProxy proxy =
                        HttpProxy.routing(List.of(route), HttpProxy.cluster("app", Version.HTTP2, server.port()))) {
            for (int i = 0; i < 5_000 / PER_CONNECTION; i++) {
                FramePeer client = FramePeer.client(proxy.address());
                clients.add(client);
                for (int j = 0; j < PER_CONNECTION; j++) {
                    client.get(2 * j + 1, "/");
                }
            }
            await().until(() -> proxy.metrics().contains("http_requests_in_flight 5000"));
            assertThat(server.accepted()).isZero();
            FramePeer late = FramePeer.client(proxy.address());
            clients.add(late);
            late.get(1, "/late");
            assertThat(late.message(1).text()).isEqualTo("GET /late ");
        } finally {
            for (FramePeer client : clients) {
                client.close();
            }
        }
    }
}
