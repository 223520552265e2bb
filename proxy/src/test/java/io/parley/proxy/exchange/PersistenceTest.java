package io.parley.proxy.exchange;

import static io.parley.proxy.exchange.Routes.affine;
import static io.parley.proxy.exchange.Routes.limited;
import static io.parley.proxy.exchange.Routes.mirrored;
import static io.parley.proxy.exchange.Routes.retries;
import static io.parley.proxy.exchange.Routes.route;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Affinity;
import io.parley.proxy.http.RetryPolicy;
import io.parley.proxy.http.Route;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Timeouts, other tries, other endpoints, copies: what is done when one server is not enough. */
class PersistenceTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    private static final String BAD = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 3\r\n\r\nbad";

    /** Another try waits so long that all have failed by then, and takes nothing but what is always allowed. */
    private static final RetryPolicy NO_BUDGET = new RetryPolicy(
            List.of(),
            Set.of(RetryPolicy.On.SERVER_ERROR),
            Set.of(),
            List.of(),
            Set.of(),
            1,
            null,
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            0);

    private static String ask(HttpProxy proxy) throws IOException {
        return ask(proxy, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    }

    private static String ask(HttpProxy proxy, String request) throws IOException {
        try (Client client = Client.to(proxy.address())) {
            return client.send(request).readAll();
        }
    }

    private static HttpProxy proxy(Route route, int... ports) {
        return HttpProxy.routing(List.of(route), HttpProxy.cluster("app", Version.HTTP1, ports));
    }

    @Test
    void aRouteHasItsTime() throws IOException {
        try (Server mute = Server.that(socket -> socket.getInputStream().readAllBytes());
                HttpProxy proxy = proxy(route(limited(Duration.ofMillis(200), null)), mute.port())) {
            assertThat(ask(proxy)).startsWith("HTTP/1.1 504").contains("x-parley-error: timeout");
        }
    }

    @Test
    void triesAgainAfterAFailureAsOftenAsItIsAllowed() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        try (RecordingServer server = RecordingServer.answering(_ -> requests.incrementAndGet() % 3 == 0 ? OK : BAD);
                HttpProxy twice = proxy(route(limited(null, retries(2, 100, null))), server.port());
                HttpProxy once = proxy(route(limited(null, retries(1, 100, null))), server.port())) {
            String post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc";
            assertThat(ask(twice, post)).startsWith("HTTP/1.1 200").endsWith("ok");
            assertThat(server.requests()).hasSize(3).allMatch(request -> request.endsWith("\r\n\r\nabc"));
            assertThat(twice.counted("http_retries_total")).isEqualTo(2);
            assertThat(ask(once, post)).startsWith("HTTP/1.1 503").endsWith("bad");
            assertThat(server.requests()).hasSize(5);
        }
    }

    @Test
    void anotherTryGoesToAnotherEndpoint() throws IOException {
        try (RecordingServer bad = RecordingServer.answering(_ -> BAD);
                RecordingServer good = RecordingServer.ok();
                HttpProxy proxy = proxy(route(limited(null, retries(1, 100, null))), bad.port(), good.port())) {
            for (int i = 0; i < 20; i++) {
                assertThat(ask(proxy)).startsWith("HTTP/1.1 200");
            }
            assertThat(good.requests()).hasSize(20);
        }
    }

    @Test
    void anEndpointThatCannotBeReachedIsPassedOver() throws IOException {
        int nobody;
        try (RecordingServer gone = RecordingServer.ok()) {
            nobody = gone.port();
        }
        try (RecordingServer good = RecordingServer.ok();
                HttpProxy proxy = proxy(Route.to("app"), nobody, good.port())) {
            for (int i = 0; i < 20; i++) {
                assertThat(ask(proxy)).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void aTryThatTakesTooLongIsGivenUp() throws IOException {
        AtomicInteger connections = new AtomicInteger();
        try (Server server = Server.that(socket -> {
                    boolean slow = connections.incrementAndGet() == 1;
                    while (socket.getInputStream().read(new byte[1_024]) > 0) {
                        if (!slow) {
                            socket.getOutputStream().write(OK.getBytes(ISO_8859_1));
                        }
                    }
                });
                HttpProxy proxy = proxy(route(limited(null, retries(3, 100, Duration.ofSeconds(1)))), server.port())) {
            assertThat(ask(proxy)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void retriesStayWithinTheirBudget() throws IOException {
        int clients = 10;
        int alwaysAllowed = 3;
        CountDownLatch all = new CountDownLatch(clients);
        try (RecordingServer server = RecordingServer.answering(_ -> {
                    all.countDown();
                    awaitAll(all);
                    return BAD;
                });
                HttpProxy proxy = proxy(route(limited(null, NO_BUDGET)), server.port())) {
            List<Client> waiting = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                waiting.add(Client.to(proxy.address()).send(GET));
            }
            for (Client client : waiting) {
                assertThat(client.read(12)).isEqualTo("HTTP/1.1 503");
                client.close();
            }
            assertThat(server.requests()).hasSize(clients + alwaysAllowed);
        }
    }

    private static void awaitAll(CountDownLatch all) {
        try {
            all.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void mirrorsGetACopyAndNobodySeesTheirAnswers() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                RecordingServer shadow = RecordingServer.answering(_ -> BAD);
                HttpProxy proxy = HttpProxy.routing(
                        List.of(route(mirrored("shadow"))),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()),
                        HttpProxy.cluster("shadow", Version.HTTP1, shadow.port()))) {
            String post = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc";
            assertThat(ask(proxy, post)).startsWith("HTTP/1.1 200");
            await().until(() -> shadow.requests().size() == 1);
            assertThat(shadow.requests().getFirst())
                    .startsWith("POST /a HTTP/1.1")
                    .endsWith("\r\n\r\nabc");
        }
    }

    @Test
    void requestsOfOneSessionGoToOneEndpoint() throws IOException {
        List<RecordingServer> servers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String name = "server-" + i;
            servers.add(RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n" + name));
        }
        int[] ports = servers.stream().mapToInt(RecordingServer::port).toArray();
        try (HttpProxy proxy = proxy(route(affine(new Affinity.Cookie("sid", Duration.ofMinutes(5), "/"))), ports)) {
            String first = ask(proxy);
            assertThat(first).contains("set-cookie: sid=").contains("; Path=/; Max-Age=300; HttpOnly");
            int at = first.indexOf("sid=");
            String cookie = first.substring(at, first.indexOf(';', at));
            String home = first.substring(first.length() - 8);
            for (int i = 0; i < 20; i++) {
                assertThat(ask(
                                proxy,
                                "GET / HTTP/1.1\r\nHost: x\r\nCookie: a=b; " + cookie
                                        + "\r\nConnection: close\r\n\r\n"))
                        .endsWith(home)
                        .doesNotContain("set-cookie");
            }
            Set<String> homes = new HashSet<>();
            for (int i = 0; i < 40; i++) {
                String answer = ask(proxy);
                homes.add(answer.substring(answer.length() - 8));
            }
            assertThat(homes).hasSizeGreaterThan(1);
        } finally {
            for (RecordingServer server : servers) {
                server.close();
            }
        }
    }

    @Test
    void anEndpointThatFailsInARowIsLeftOut() throws IOException {
        try (RecordingServer bad = RecordingServer.answering(_ -> BAD);
                RecordingServer good = RecordingServer.ok();
                HttpProxy proxy = HttpProxy.routing(
                        List.of(Route.to("app")),
                        HttpProxy.cluster(
                                "app",
                                new HttpUpstream(
                                        Version.HTTP1, null, 10_000, new HttpUpstream.Outliers(3, 0), List.of()),
                                bad.port(),
                                good.port()))) {
            for (int i = 0; i < 60; i++) {
                ask(proxy);
            }
            assertThat(bad.requests()).hasSizeLessThanOrEqualTo(3);
            assertThat(good.requests()).hasSizeGreaterThanOrEqualTo(57);
        }
    }

    @Test
    void moreRequestsThanAClusterTakesAreTurnedAway() throws IOException {
        try (Server mute = Server.that(socket -> socket.getInputStream().readAllBytes());
                HttpProxy proxy = HttpProxy.routing(
                        List.of(Route.to("app")),
                        HttpProxy.cluster(
                                "app", new HttpUpstream(Version.HTTP1, null, 1, null, List.of()), mute.port()));
                Client first = Client.to(proxy.address()).send(GET)) {
            await().until(() -> proxy.counted("request_total") == 1);
            assertThat(ask(proxy)).startsWith("HTTP/1.1 503").contains("x-parley-error: overflow");
            assertThat(first.socket().isConnected()).isTrue();
        }
    }
}
