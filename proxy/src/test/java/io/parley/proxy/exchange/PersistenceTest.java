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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    /** Servers that say who they are: that is the last 8 bytes of an answer. */
    private record Homes(List<RecordingServer> servers) implements AutoCloseable {
        private static final int NAME = 8;

        static Homes open() throws IOException {
            List<RecordingServer> servers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String answer = "HTTP/1.1 200 OK\r\ncontent-length: " + NAME + "\r\n\r\nserver-" + i;
                servers.add(RecordingServer.answering(_ -> answer));
            }
            return new Homes(servers);
        }

        HttpProxy proxy(Affinity affinity) {
            int[] ports = servers.stream().mapToInt(RecordingServer::port).toArray();
            return PersistenceTest.proxy(route(affine(affinity)), ports);
        }

        static String in(String answer) {
            return answer.substring(answer.length() - NAME);
        }

        @Override
        public void close() throws IOException {
            for (RecordingServer server : servers) {
                server.close();
            }
        }
    }

    /** What tells that requests belong together, each of a client that has the number. */
    enum Together {
        HEADER,
        QUERY,
        SOURCE;

        private Affinity affinity() {
            return switch (this) {
                case HEADER -> new Affinity.Header("x-user");
                case QUERY -> new Affinity.Query("user");
                case SOURCE -> new Affinity.Source();
            };
        }

        /** Where a request of the client leads; everything about it but what tells is always the same. */
        private String home(HttpProxy proxy, int number) throws IOException {
            String path = this == QUERY ? "/?a=b&user=" + number : "/";
            String field = this == HEADER ? "X-User: " + number + "\r\n" : "";
            String request = "GET " + path + " HTTP/1.1\r\nHost: x\r\n" + field + "Connection: close\r\n\r\n";
            String address = this == SOURCE ? "127.0.1." + number : "127.0.0.1";
            try (Client client = Client.of(address, proxy.address())) {
                return Homes.in(client.send(request).readAll());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestsWithOneKeyGoToOneEndpoint(Together together) throws IOException {
        try (Homes homes = Homes.open();
                HttpProxy proxy = homes.proxy(together.affinity())) {
            String home = together.home(proxy, 1);
            for (int i = 0; i < 20; i++) {
                assertThat(together.home(proxy, 1)).isEqualTo(home);
            }
            Set<String> all = new HashSet<>();
            for (int number = 1; number <= 40; number++) {
                all.add(together.home(proxy, number));
            }
            assertThat(all).hasSizeGreaterThan(1);
        }
    }

    @Test
    void requestsOfOneSessionGoToOneEndpoint() throws IOException {
        try (Homes homes = Homes.open();
                HttpProxy proxy = homes.proxy(new Affinity.Cookie("sid", Duration.ofMinutes(5), "/"))) {
            String first = ask(proxy);
            assertThat(first).contains("set-cookie: sid=").contains("; Path=/; Max-Age=300; HttpOnly");
            int at = first.indexOf("sid=");
            String cookie = first.substring(at, first.indexOf(';', at));
            String home = Homes.in(first);
            for (int i = 0; i < 20; i++) {
                assertThat(ask(
                                proxy,
                                "GET / HTTP/1.1\r\nHost: x\r\nCookie: a=b; " + cookie
                                        + "\r\nConnection: close\r\n\r\n"))
                        .endsWith(home)
                        .doesNotContain("set-cookie");
            }
            Set<String> all = new HashSet<>();
            for (int i = 0; i < 40; i++) {
                all.add(Homes.in(ask(proxy)));
            }
            assertThat(all).hasSizeGreaterThan(1);
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
