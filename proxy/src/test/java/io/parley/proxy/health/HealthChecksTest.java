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
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.Route;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Endpoints that say that they are not well get nothing until they say that they are. */
class HealthChecksTest {
    private static final String OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    private static final String BAD = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 3\r\n\r\nbad";
    private static final Question GET =
            new Question.Get("health.example", "/health", FieldEdits.NONE, List.of(new Question.Statuses(200, 201)));

    private static ClusterConfig cluster(Question question, int... ports) {
        return waiting(Duration.ofSeconds(5), question, ports);
    }

    /** No question's time is over while a test runs. */
    private static ClusterConfig patiently(Question question, int... ports) {
        return waiting(Duration.ofDays(1), question, ports);
    }

    private static ClusterConfig waiting(Duration timeout, Question question, int... ports) {
        HealthCheck check = new HealthCheck(Duration.ofMillis(20), timeout, 2, 2, question);
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
    void aRequestForHealthSaysWhatItIsToldToSay() throws IOException {
        FieldEdits fields = new FieldEdits(List.of(new FieldEdits.Edit(FieldEdits.Kind.ADD, "x-probe", "mesh")));
        Question question = new Question.Get("", "/health", fields, List.of(new Question.Statuses(200, 201)));
        try (RecordingServer server = server(new AtomicBoolean(true));
                HttpProxy _ = HttpProxy.routing(List.of(Route.to("app")), cluster(question, server.port()))) {
            awaitChecks(server, 1);
            assertThat(server.requests().getFirst()).contains("\r\nx-probe: mesh\r\n");
        }
    }

    /** A server that answers what it is told in two pieces, with more between. */
    private static Server talking(String first, String second) throws IOException {
        return Server.that(socket -> {
            String heard = new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
            socket.getOutputStream().write(("you said " + heard + ", " + first).getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            socket.getOutputStream().write(second.getBytes(StandardCharsets.US_ASCII));
            var _ = socket.getInputStream().read();
        });
    }

    @Test
    void anEndpointMustAnswerWhatIsExpectedInOrder() throws IOException {
        Question question = new Question.Dialogue("PING\n", List.of("PING", "PONG"));
        try (Server sick = talking("NO", "PE");
                Server fine = talking("PO", "NG");
                HttpProxy proxy =
                        HttpProxy.routing(List.of(Route.to("app")), cluster(question, sick.port(), fine.port()))) {
            await().untilAsserted(() -> assertThat(proxy.health("app")).containsExactly(false, true));
        }
    }

    @Test
    void anEndpointThatHangsUpIsNotWellAtOnce() throws IOException {
        Question question = new Question.Dialogue("PING\n", List.of("PONG"));
        try (Server rude = Server.that(socket -> socket.getInputStream().readNBytes(5));
                HttpProxy proxy = HttpProxy.routing(List.of(Route.to("app")), patiently(question, rude.port()))) {
            await().untilAsserted(() -> assertThat(proxy.health("app")).containsExactly(false));
        }
    }

    @Test
    void anAnswerInSinglePiecesIsHeard() throws IOException {
        Question question = new Question.Dialogue("", List.of("PONG", "ONE"));
        try (Server slow = Server.that(socket -> {
                    for (byte one : "PPPOPONGONGONONE".getBytes(StandardCharsets.US_ASCII)) {
                        socket.getOutputStream().write(one);
                        socket.getOutputStream().flush();
                    }
                    var _ = socket.getInputStream().read();
                });
                Server sick = talking("PO", "NG");
                HttpProxy proxy =
                        HttpProxy.routing(List.of(Route.to("app")), cluster(question, slow.port(), sick.port()))) {
            await().until(() -> slow.accepted() >= 3);
            assertThat(proxy.health("app").getFirst()).isTrue();
        }
    }

    @Test
    void anEndpointThatTalksWithoutEndIsNotWell() throws IOException {
        Question question = new Question.Dialogue("", List.of("PONG"));
        byte[] noise = new byte[1 << 20];
        try (Server noisy = Server.that(socket -> {
                    socket.getOutputStream().write(noise);
                    var _ = socket.getInputStream().read();
                });
                HttpProxy proxy = HttpProxy.routing(List.of(Route.to("app")), patiently(question, noisy.port()))) {
            await().untilAsserted(() -> assertThat(proxy.health("app")).containsExactly(false));
        }
    }

    @Test
    void nobodyIsKeptWaitingOnceTheCheckIsGone() throws IOException {
        CompletableFuture<Integer> ended = new CompletableFuture<>();
        try (Server mute = Server.that(
                        socket -> ended.complete(socket.getInputStream().read()));
                HttpProxy proxy = HttpProxy.routing(
                        List.of(Route.to("app")), patiently(new Question.Dialogue("", List.of("PONG")), mute.port()))) {
            await().until(() -> mute.accepted() == 1);
            assertThat(ended).isNotDone();
            proxy.apply(
                    HttpProxy.routed(List.of(Route.to("app"))), HttpProxy.cluster("app", Version.HTTP1, mute.port()));
            await().untilAsserted(() -> assertThat(ended).isCompletedWithValue(-1));
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
            await().untilAsserted(() -> assertThat(proxy.health("app")).containsExactly(false, true));
            assertThat(fine.accepted()).isPositive();
        }
    }
}
