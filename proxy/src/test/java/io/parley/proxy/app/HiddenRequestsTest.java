package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.app.TestMesh.strict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufUtil;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.Authorization.Peers;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.AccessRules.AccessPolicy;
import io.parley.proxy.http.AccessRules.Condition;
import io.parley.proxy.http.AccessRules.Effect;
import io.parley.proxy.http.AccessRules.Mode;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http.HttpConfig.PathHandling;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RateLimit;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.RouteTable;
import io.parley.proxy.http.Telling;
import io.parley.proxy.http.TextMatch;
import io.parley.proxy.http.VirtualHost;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that no strict reader takes for one, on a port that nobody declared. Where rules look at each request they must not pass by them
 * to a server that is less strict.
 */
class HiddenRequestsTest {
    private static final Policies NO_SECRET = forbidding(Mode.ENFORCED);

    /** Where rules can stand. */
    enum Place {
        LISTENER,
        HOST,
        ROUTE
    }

    /** What a server believes of its client only because of the proxy before it. */
    private static final String FORGED = "X-Forwarded-Client-Cert: URI=spiffe://mesh.test/admin\r\n\r\n";

    private final TestMesh mesh = new TestMesh();

    @AfterEach
    void close() {
        mesh.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET  /secret HTTP/1.1\r\nHost: a\r\n\r\n",
                "get /secret HTTP/1.1\r\nHost: a\r\n\r\n",
                " GET /secret HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /secret\r\n\r\n",
                "GET\t/secret HTTP/1.1\r\n\r\n",
                // May become HTTP, and does not: time decides.
                "GET /sec"
            })
    void neverReachAServerBehindRules(String request) throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                Client client =
                        Client.to(redirecting(server.port(), Protocol.DETECT, ruled(Place.LISTENER, NO_SECRET)))) {
            client.send(request);
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("not-http");
            assertThat(mesh.ending(Direction.INBOUND).detail())
                    .startsWith("port " + server.port() + " is for requests only, and this is none: ");
            assertThat(server.requests()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void whereverTheRulesStand(Place place) throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                Client client = Client.to(redirecting(server.port(), Protocol.DETECT, ruled(place, NO_SECRET)))) {
            client.send("GET  /secret HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("not-http");
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void whatIsARequestIsJudgedAsOne() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                Client client = Client.to(redirecting(server.port(), Protocol.DETECT, ruled(Place.HOST, NO_SECRET)))) {
            assertThat(client.ask("GET /secret HTTP/1.1\r\nHost: a\r\n\r\n")).isEqualTo("access denied\n");
            assertThat(client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n").read(15))
                    .isEqualTo("HTTP/1.1 200 OK");
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void aServerThatSpeaksFirstIsNotHeard() throws IOException {
        try (Server server = Server.greeting("220 ready\r\n");
                Client client = Client.to(redirecting(server.port(), Protocol.DETECT, ruled(Place.HOST, NO_SECRET)))) {
            assertThat(isHeard(client)).isFalse();
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("not-http");
        }
    }

    /** A limit is said for whole meshes, in which there are databases too. */
    @Test
    void whereRequestsAreOnlyCountedItIs() throws IOException {
        RateLimit limit = new RateLimit(1, Duration.ofHours(1), 429, FieldEdits.NONE);
        Policies counted = new Policies(null, limit, Map.of(), null);
        try (Server server = Server.greeting("220 ready\r\n");
                Client client =
                        Client.to(redirecting(server.port(), Protocol.DETECT, ruled(Place.LISTENER, counted)))) {
            assertThat(client.read(11)).isEqualTo("220 ready\r\n");
        }
    }

    @Test
    void neitherIsTlsOfTheApplicationsOwn() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                Client client = Client.to(redirecting(server.port(), Protocol.DETECT, ruled(Place.HOST, NO_SECRET)))) {
            client.send(ByteBufUtil.getBytes(Hello.forName("www.example.com")));
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("not-http");
            assertThat(server.requests()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FROM_NAMED_MEMBERS", "EDGE"})
    void theirClientsAreNotBelievedWhereTheProxyWritesWhoAsks(Forwarding forwarding) throws IOException {
        for (String head : List.of(
                "GET HTTP://a/x HTTP/1.1\r\nHost: a\r\n",
                "get / HTTP/1.1\r\nHost: a\r\n",
                "\nGET / HTTP/1.1\r\nHost: a\r\n")) {
            try (TestMesh fresh = new TestMesh();
                    RecordingServer server = RecordingServer.ok();
                    Client client = Client.to(redirecting(fresh, server.port(), Protocol.DETECT, told(forwarding)))) {
                client.send(head + FORGED);
                assertThat(fresh.ending(Direction.INBOUND).cause()).as(head).isEqualTo("not-http");
                assertThat(server.requests()).isEmpty();
            }
        }
    }

    /** A member of the mesh can write into its header what it likes. */
    @Test
    void norIsWhatAnotherProxySaysIsNoRequest() throws IOException {
        try (RecordingServer server = RecordingServer.ok()) {
            InboundPort port = port(Protocol.DETECT, ruled(Place.ROUTE, NO_SECRET));
            Proxy proxy =
                    mesh.start(SERVER, config(List.of(inbound(Map.of(server.port(), port), strict(Protocol.DETECT)))));
            try (PeerProxy peer = PeerProxy.connect(
                    proxy.address("inbound"),
                    mesh.credentials(CLIENT),
                    PeerIdentity.serverName(SERVER),
                    ConnectionHeader.ALPN)) {
                peer.send(PeerProxy.bytes(
                        ConnectionHeader.toPort(server.port(), null), "GET /secret HTTP/1.1\r\nHost: a\r\n\r\n"));
                assertThat(peer.isCutOff()).isTrue();
            }
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("not-http");
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void withoutRulesBytesPass() throws IOException {
        String request = "GET  /secret HTTP/1.1\r\nHost: a\r\n\r\n";
        for (Policies policies : List.of(Policies.NONE, forbidding(Mode.SHADOW))) {
            try (RecordingServer server = RecordingServer.ok();
                    Client client =
                            Client.to(redirecting(server.port(), Protocol.DETECT, ruled(Place.HOST, policies)))) {
                assertThat(client.send(request).read(15)).isEqualTo("HTTP/1.1 200 OK");
            }
        }
        try (Server server = Server.greeting("220 ready\r\n");
                Client client =
                        Client.to(redirecting(server.port(), Protocol.DETECT, ruled(Place.HOST, Policies.NONE)))) {
            assertThat(client.read(11)).isEqualTo("220 ready\r\n");
        }
    }

    @Test
    void whoDeclaresThePortOpaqueKnowsWhatThatMeans() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                Client client = Client.to(redirecting(server.port(), Protocol.OPAQUE, ruled(Place.HOST, NO_SECRET)))) {
            client.send("GET  /secret HTTP/1.1\r\nHost: a\r\n\r\n");
            await().until(() -> server.requests().size() == 1);
        }
    }

    @Test
    void rulesThatComeAreForWhoIsThereToo() throws IOException {
        try (RecordingServer server = RecordingServer.ok()) {
            Proxy proxy = mesh.start(SERVER, config(List.of(redirected(server.port(), port(Protocol.DETECT, null)))));
            InetSocketAddress address = proxy.address("redirected");
            try (Client asking = Client.to(address);
                    Client hidden = Client.to(address)) {
                assertThat(asking.send("GET /secret HTTP/1.1\r\nHost: a\r\n\r\n")
                                .read(15))
                        .isEqualTo("HTTP/1.1 200 OK");
                assertThat(hidden.send("GET  /secret HTTP/1.1\r\nHost: a\r\n\r\n")
                                .read(15))
                        .isEqualTo("HTTP/1.1 200 OK");
                proxy.apply(config(List.of(
                        redirected(server.port(), port(Protocol.DETECT, ruled(Place.LISTENER, NO_SECRET))))));
                awaitEnd(hidden);
                awaitEnd(asking);
            }
        }
    }

    /** Whether it is an end or a reset. */
    private static void awaitEnd(Client client) throws IOException {
        try {
            String _ = client.readAll();
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            // A reset is an end.
        }
    }

    private static boolean isHeard(Client client) {
        try {
            return !client.readAll().isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    private InetSocketAddress redirecting(int application, Protocol protocol, HttpConfig http) {
        return redirecting(mesh, application, protocol, http);
    }

    private static InetSocketAddress redirecting(TestMesh mesh, int application, Protocol protocol, HttpConfig http) {
        return mesh.start(SERVER, config(List.of(redirected(application, port(protocol, http)))))
                .address("redirected");
    }

    private static InboundPort port(Protocol protocol, @Nullable HttpConfig http) {
        return new InboundPort(declared(protocol), new Authorization(Strangers.ALLOWED, Peers.ALL, Peers.NONE), http);
    }

    private static Policies forbidding(Mode mode) {
        AccessRules rules = new AccessRules(
                Effect.DENY,
                List.of(new AccessPolicy(
                        "secret",
                        List.of(new Condition.Any()),
                        List.of(new Condition.Path(new TextMatch.Prefix("/secret"))))),
                mode);
        return new Policies(null, null, Map.of("rbac", List.of(rules)), null);
    }

    private static HttpConfig told(Forwarding forwarding) {
        return way(new RouteTable("routes", List.of()), Policies.NONE, forwarding);
    }

    private static HttpConfig ruled(Place place, Policies policies) {
        Route route = new Route(
                "r",
                RequestMatch.ANY,
                RouteAction.Forward.to(""),
                FieldEdits.NONE,
                FieldEdits.NONE,
                place == Place.ROUTE ? policies : Policies.NONE);
        VirtualHost host =
                new VirtualHost("all", List.of("*"), List.of(route), place == Place.HOST ? policies : Policies.NONE);
        return way(
                new RouteTable("routes", List.of(host)),
                place == Place.LISTENER ? policies : Policies.NONE,
                Forwarding.FROM_MEMBERS);
    }

    private static HttpConfig way(RouteTable routes, Policies policies, Forwarding forwarding) {
        return new HttpConfig(
                "way",
                routes,
                policies,
                HttpTimeouts.DEFAULT,
                HttpLimits.DEFAULT,
                PathHandling.NORMALISED,
                forwarding,
                0,
                Telling.NOTHING);
    }
}
