package io.parley.proxy.exchange;

import static io.parley.proxy.exchange.PoliciesTest.ask;
import static io.parley.proxy.exchange.Routes.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Fault;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.FieldMatch.Sense;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.TextMatch;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Trouble that was asked for. */
class FaultsTest {
    private static final int ALWAYS = 1_000_000;

    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        server = RecordingServer.ok();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private HttpProxy with(Fault... faults) {
        return HttpProxy.routing(
                List.of(route(policies(faults))), HttpProxy.cluster("app", Version.HTTP1, server.port()));
    }

    private static Policies policies(Fault... faults) {
        return new Policies(List.of(faults), null, Map.of(), null);
    }

    @Test
    void failsOnPurpose() throws IOException {
        FieldMatch chosen = FieldMatch.header("x-fail", new TextMatch.Exact("yes"), Sense.IS);
        Fault fault = new Fault(List.of(chosen), null, new Fault.Abort(418, null, ALWAYS), null);
        try (HttpProxy proxy = with(fault)) {
            assertThat(ask(proxy, "GET /")).startsWith("HTTP/1.1 200");
            assertThat(ask(proxy, "GET /", "x-fail: yes")).startsWith("HTTP/1.1 418");
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void delaysOnPurpose() throws IOException {
        Duration delay = Duration.ofMillis(300);
        Fault fault = new Fault(List.of(), new Fault.Delay(delay, ALWAYS), null, null);
        try (HttpProxy proxy = with(fault)) {
            long start = System.nanoTime();
            assertThat(ask(proxy, "GET /")).startsWith("HTTP/1.1 200").endsWith("ok");
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(delay.toNanos());
        }
    }

    /** The delay is longer than the proxy waits for anything, so that what ends the request shows that it was waiting. */
    @Test
    void whatIsToFailAndToWaitWaitsFirst() throws IOException {
        Fault fault = new Fault(
                List.of(), new Fault.Delay(Duration.ofDays(1), ALWAYS), new Fault.Abort(418, null, ALWAYS), null);
        try (HttpProxy proxy = with(fault);
                Client client = Client.to(proxy.address())) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> proxy.counted("request_total") == 1);
            proxy.pass(Duration.ofHours(1));
            assertThat(client.read(12)).isEqualTo("HTTP/1.1 504");
        }
    }

    /** As in Envoy, whose router begins to count when it gets the request. */
    @Test
    void aDelayIsNoPartOfTheTimeThatTheRouteAllows() throws IOException {
        Fault fault = new Fault(List.of(), new Fault.Delay(Duration.ofSeconds(3), ALWAYS), null, null);
        Route route = new Route(
                "r",
                RequestMatch.ANY,
                Routes.limited(Duration.ofSeconds(30), null),
                FieldEdits.NONE,
                FieldEdits.NONE,
                policies(fault));
        try (Server silent =
                        Server.that(socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()));
                HttpProxy proxy =
                        HttpProxy.routing(List.of(route), HttpProxy.cluster("app", Version.HTTP1, silent.port()));
                Client client = Client.to(proxy.address())) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> proxy.counted("request_total") == 1);
            proxy.pass(Duration.ofSeconds(28));
            await().until(() -> silent.accepted() == 1);
            proxy.pass(Duration.ofSeconds(5));
            assertThat(client.read(12)).isEqualTo("HTTP/1.1 504");
        }
    }

    @Test
    void theDelayOfAFaultThatIsNotReachedIsNotWaitedFor() throws IOException {
        Fault failing = new Fault(List.of(), null, new Fault.Abort(418, null, ALWAYS), null);
        Fault slow = new Fault(List.of(), new Fault.Delay(Duration.ofDays(1), ALWAYS), null, null);
        try (HttpProxy proxy = with(failing, slow)) {
            assertThat(ask(proxy, "GET /")).startsWith("HTTP/1.1 418");
        }
    }

    @Test
    void faultsComeTogether() throws IOException {
        Fault slow = new Fault(List.of(), new Fault.Delay(Duration.ofMillis(100), ALWAYS), null, null);
        Fault failing = new Fault(List.of(), null, new Fault.Abort(418, null, ALWAYS), null);
        try (HttpProxy proxy = with(slow, failing)) {
            assertThat(ask(proxy, "GET /")).startsWith("HTTP/1.1 418");
        }
    }

    @Test
    void anAnswersContentIsNoFasterThanItMayBe() throws IOException {
        String content = "x".repeat(20_000);
        // Ten parts of 2,000 bytes with 50 ms between them.
        Duration least = Duration.ofMillis(400);
        Fault fault = new Fault(List.of(), null, null, new Fault.Bandwidth(40_000, ALWAYS));
        try (RecordingServer generous = RecordingServer.answering(request -> "HTTP/1.1 200 OK\r\n"
                        + (request.startsWith("GET /pieces")
                                ? "transfer-encoding: chunked\r\n\r\n4e20\r\n" + content + "\r\n0\r\n\r\n"
                                : "content-length: 20000\r\n\r\n" + content));
                HttpProxy proxy = HttpProxy.routing(
                        List.of(route(policies(fault))), HttpProxy.cluster("app", Version.HTTP1, generous.port()));
                Client client = Client.to(proxy.address())) {
            for (int i = 0; i < 2; i++) {
                long start = System.nanoTime();
                assertThat(client.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n")).isEqualTo(content);
                assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(least.toNanos());
            }
            long start = System.nanoTime();
            assertThat(ask(proxy, "GET /pieces")).startsWith("HTTP/1.1 200").endsWith("\r\n0\r\n\r\n");
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(least.toNanos());
        }
    }
}
