package io.parley.proxy.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.HealthCheck;
import io.parley.proxy.config.HttpUpstream.Question;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Route;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Endpoints that say that they are not well get nothing until they say that they are. */
class HealthChecksTest {
    private static final String OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    private static final String BAD = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 3\r\n\r\nbad";
    private static final Question GET =
            new Question.Get("health.example", "/health", List.of(new Question.Statuses(200, 201)));

    private static ClusterConfig cluster(Question question, int... ports) {
        HealthCheck check = new HealthCheck(Duration.ofMillis(20), Duration.ofSeconds(5), 2, 2, question);
        return HttpProxy.cluster("app", new HttpUpstream(Version.HTTP1, 100, null, List.of(check)), ports);
    }

    /** A server that is as well as the switch says, and otherwise always answers. */
    private static RecordingServer server(AtomicBoolean well) throws IOException {
        return RecordingServer.answering(request ->
                request.startsWith("GET /health HTTP/1.1\r\nhost: health.example\r\n") && !well.get() ? BAD : OK);
    }

    private static long requests(RecordingServer server) {
        return server.requests().stream()
                .filter(request -> request.startsWith("GET / "))
                .count();
    }

    private static void ask(HttpProxy proxy, int times) throws IOException {
        try (Client client = Client.to(proxy.address())) {
            for (int i = 0; i < times; i++) {
                assertThat(client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").read(40))
                        .endsWith("ok");
            }
        }
    }

    private static void awaitChecks(RecordingServer server, int more) {
        int seen = server.requests().size();
        await().until(() -> server.requests().size() >= seen + more);
    }

    @Test
    void anEndpointThatIsNotWellGetsNothingUntilItIs() throws IOException {
        AtomicBoolean well = new AtomicBoolean();
        try (RecordingServer sick = server(well);
                RecordingServer fine = server(new AtomicBoolean(true));
                HttpProxy proxy = HttpProxy.routing(List.of(Route.to("app")), cluster(GET, sick.port(), fine.port()))) {
            awaitChecks(sick, 2);
            ask(proxy, 30);
            assertThat(requests(sick)).isZero();
            assertThat(requests(fine)).isEqualTo(30);
            well.set(true);
            awaitChecks(sick, 4);
            ask(proxy, 30);
            assertThat(requests(sick)).isPositive();
            well.set(false);
            awaitChecks(sick, 4);
            long before = requests(sick);
            ask(proxy, 30);
            assertThat(requests(sick)).isEqualTo(before);
        }
    }

    @Test
    void ifNobodyIsWellEverybodyIsTried() throws IOException {
        try (RecordingServer sick = server(new AtomicBoolean());
                HttpProxy proxy = HttpProxy.routing(List.of(Route.to("app")), cluster(GET, sick.port()))) {
            awaitChecks(sick, 3);
            ask(proxy, 5);
        }
    }

    @Test
    void anEndpointThatIsNoLongerAskedIsWell() throws IOException {
        try (RecordingServer sick = server(new AtomicBoolean());
                RecordingServer fine = server(new AtomicBoolean(true));
                HttpProxy proxy = HttpProxy.routing(List.of(Route.to("app")), cluster(GET, sick.port(), fine.port()))) {
            awaitChecks(sick, 3);
            proxy.apply(
                    HttpProxy.routed(List.of(Route.to("app"))),
                    HttpProxy.cluster("app", Version.HTTP1, sick.port(), fine.port()));
            await().untilAsserted(() -> {
                ask(proxy, 10);
                assertThat(requests(sick)).isPositive();
            });
        }
    }

    @Test
    void anEndpointMustAcceptConnections() throws IOException {
        int nobody;
        try (Server gone = Server.echo()) {
            nobody = gone.port();
        }
        try (Server fine = Server.that(socket -> socket.getInputStream().readAllBytes());
                HttpProxy proxy = HttpProxy.routing(
                        List.of(Route.to("app")), cluster(new Question.Connect(), nobody, fine.port()))) {
            await().until(() -> fine.accepted() >= 3);
            assertThat(proxy.errors("unreachable")).isZero();
        }
    }
}
