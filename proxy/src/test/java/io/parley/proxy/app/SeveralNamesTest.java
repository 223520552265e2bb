package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.meshed;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.strict;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyPairs;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.Authorization.Peers;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.Direction;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.AccessRules.AccessPolicy;
import io.parley.proxy.http.AccessRules.Condition;
import io.parley.proxy.http.AccessRules.Effect;
import io.parley.proxy.http.AccessRules.Mode;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.TextMatch;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tcp.Session;
import io.parley.proxy.tls.MeshCredentials;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.SessionProtocol;
import java.io.IOException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Certificates with several names: a workload that stands for several services has one for each. */
class SeveralNamesTest {
    private static final SpiffeId ONE = SpiffeId.parse("spiffe://mesh.test/one");
    private static final SpiffeId TWO = SpiffeId.parse("spiffe://mesh.test/two");
    private static final SpiffeId THREE = SpiffeId.parse("spiffe://mesh.test/three");
    private static final SpiffeId FOREIGN = SpiffeId.parse("spiffe://elsewhere.test/one");

    private final TestMesh mesh = new TestMesh();
    private Server server;
    private RecordingServer http;

    @BeforeEach
    void start() throws IOException {
        server = Server.greeting("hi");
        http = RecordingServer.ok();
    }

    @AfterEach
    void close() throws IOException {
        mesh.close();
        server.close();
        http.close();
    }

    @Test
    void aClientMayIfOneOfItsNamesMay() throws IOException {
        Proxy proxy = guarding(new Peers(Set.of(TWO), Set.of()), Peers.NONE);
        try (PeerProxy peer = call(proxy, ONE, TWO)) {
            assertThat(peer.read(2)).isEqualTo("hi");
        }
        assertThat(mesh.agreed(Direction.INBOUND).peer()).isEqualTo(TWO);
    }

    @Test
    void aClientMayNotIfOneOfItsNamesIsDenied() throws IOException {
        Proxy proxy = guarding(Peers.ALL, new Peers(Set.of(TWO), Set.of()));
        try (PeerProxy peer = call(proxy, ONE, TWO)) {
            assertThat(peer.isCutOff()).isTrue();
        }
        assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("denied");
        assertThat(mesh.ending(Direction.INBOUND).detail()).endsWith("is not for " + TWO);
        assertThat(server.accepted()).isZero();
    }

    /** It was let in by the name that is still allowed, and stays so if only the other one loses a permission. */
    @Test
    void aClientIsCutOffWhenAnotherOfItsNamesIsDenied() throws IOException {
        try (Server echo = Server.echo()) {
            Proxy proxy = mesh.start(SERVER, guarded(echo.port(), Peers.ALL, Peers.NONE));
            try (PeerProxy kept = call(proxy, echo.port(), ONE, THREE);
                    PeerProxy cut = call(proxy, echo.port(), ONE, TWO)) {
                assertThat(cut.send("a".getBytes(US_ASCII)).read(1)).isEqualTo("a");
                assertThat(kept.send("b".getBytes(US_ASCII)).read(1)).isEqualTo("b");

                proxy.apply(
                        guarded(echo.port(), new Peers(Set.of(ONE, TWO), Set.of()), new Peers(Set.of(TWO), Set.of())));

                assertThat(cut.isCutOff()).isTrue();
                assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("revoked");
                assertThat(kept.send("c".getBytes(US_ASCII)).read(1)).isEqualTo("c");
            }
        }
    }

    @Test
    void ofRequestsToo_oneNameIsEnoughToBeLetIn() throws IOException {
        Proxy proxy = mesh.start(SERVER, ruled(Effect.ALLOW, new Condition.Identity(exactly(TWO))));
        assertThat(ask(proxy, ONE, TWO)).startsWith("HTTP/1.1 200");
        assertThat(ask(proxy, TWO, ONE)).startsWith("HTTP/1.1 200");
        assertThat(ask(proxy, ONE, THREE)).startsWith("HTTP/1.1 403");
    }

    @Test
    void ofRequestsToo_oneNameIsEnoughToBeKeptOut() throws IOException {
        Proxy proxy = mesh.start(SERVER, ruled(Effect.DENY, new Condition.Identity(exactly(TWO))));
        assertThat(ask(proxy, ONE, TWO)).startsWith("HTTP/1.1 403");
        assertThat(ask(proxy, TWO, ONE)).startsWith("HTTP/1.1 403");
        assertThat(ask(proxy, ONE, THREE)).startsWith("HTTP/1.1 200");
    }

    @Test
    void ofRequestsToo_notCalledSoMeansByNoneOfItsNames() throws IOException {
        Proxy proxy = mesh.start(SERVER, ruled(Effect.ALLOW, new Condition.Not(new Condition.Identity(exactly(TWO)))));
        assertThat(ask(proxy, ONE, TWO)).startsWith("HTTP/1.1 403");
        assertThat(ask(proxy, ONE, THREE)).startsWith("HTTP/1.1 200");
    }

    private static TextMatch exactly(SpiffeId name) {
        return new TextMatch.Exact(name.toString());
    }

    /** Every member may connect, and the rules of requests say who may ask. */
    private ProxyConfig ruled(Effect effect, Condition principal) {
        AccessRules rules = new AccessRules(
                effect,
                List.of(new AccessPolicy("p", List.of(principal), List.of(new Condition.Any()))),
                Mode.ENFORCED);
        Route route = new Route(
                "r",
                RequestMatch.ANY,
                RouteAction.Forward.to(""),
                FieldEdits.NONE,
                FieldEdits.NONE,
                new Policies(null, null, Map.of("rbac", List.of(rules)), null));
        InboundPort port = new InboundPort(
                declared(Protocol.HTTP1),
                new Authorization(Strangers.REFUSED, Peers.ALL, Peers.NONE),
                HttpProxy.routed(List.of(route)));
        return config(List.of(inbound(Map.of(http.port(), port), strict(Protocol.DETECT))));
    }

    private String ask(Proxy proxy, SpiffeId... names) throws IOException {
        ConnectionHeader header = ConnectionHeader.toPort(http.port(), SessionProtocol.HTTP1);
        try (PeerProxy peer = connect(proxy, names)) {
            return peer.send(PeerProxy.bytes(header, "GET / HTTP/1.1\r\nHost: x.example\r\n\r\n"))
                    .read(12);
        }
    }

    @Test
    void aClientMayNotIfNoneOfItsNamesMay() throws IOException {
        Proxy proxy = guarding(new Peers(Set.of(THREE), Set.of()), Peers.NONE);
        try (PeerProxy peer = call(proxy, ONE, TWO)) {
            assertThat(peer.isCutOff()).isTrue();
        }
        assertThat(mesh.ending(Direction.INBOUND).detail()).endsWith("is not for " + ONE);
    }

    @Test
    void namesOfTwoTrustDomainsAreNobodys() throws IOException {
        Proxy proxy = guarding(Peers.ALL, Peers.NONE);
        assertThat(isTurnedAway(proxy, ONE, FOREIGN)).isTrue();
        assertThat(server.accepted()).isZero();
    }

    @Test
    void aServerIsWhoWasDialledIfOneOfItsNamesIsExactlyThat() throws IOException {
        Optional<MeshCredentials> both = Optional.of(
                new MeshCredentials(credentials(ONE, TWO), List.of(mesh.ca().certificate())));
        Proxy inbound = mesh.start(() -> both, config(List.of(inbound(Map.of(), strict(Protocol.DETECT)))));
        try (Client client = Client.to(dialling(inbound, TWO).address("outbound"))) {
            assertThat(client.read(2)).isEqualTo("hi");
        }
        SpiffeId alike = SpiffeId.parse("spiffe://mesh.test/other/two");
        try (Client _ = Client.to(dialling(inbound, alike).address("outbound"))) {
            assertThat(Objects.requireNonNull(refused().ending()).detail())
                    .contains("(expected: " + alike + ", who was dialled)");
        }
    }

    private Session refused() {
        return await().until(
                        () -> mesh.ended().stream()
                                .filter(session -> session.ending() != null
                                        && session.ending().cause().equals("unreachable"))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private Proxy dialling(Proxy inbound, SpiffeId expected) {
        return mesh.start(
                CLIENT,
                config(
                        List.of(outbound("app", declared(Protocol.OPAQUE))),
                        cluster("app", meshed(server.port(), inbound.address("inbound"), expected))));
    }

    private Proxy guarding(Peers allowed, Peers denied) {
        return mesh.start(SERVER, guarded(server.port(), allowed, denied));
    }

    private static ProxyConfig guarded(int application, Peers allowed, Peers denied) {
        InboundPort port =
                new InboundPort(declared(Protocol.OPAQUE), new Authorization(Strangers.REFUSED, allowed, denied));
        return config(List.of(inbound(Map.of(application, port), strict(Protocol.DETECT))));
    }

    private PeerProxy call(Proxy proxy, SpiffeId... names) throws IOException {
        return call(proxy, server.port(), names);
    }

    private PeerProxy call(Proxy proxy, int application, SpiffeId... names) throws IOException {
        return connect(proxy, names).send(PeerProxy.bytes(ConnectionHeader.toPort(application, null), ""));
    }

    private PeerProxy connect(Proxy proxy, SpiffeId... names) throws IOException {
        return PeerProxy.connect(
                proxy.address("inbound"), credentials(names), PeerIdentity.serverName(SERVER), ConnectionHeader.ALPN);
    }

    private boolean isTurnedAway(Proxy proxy, SpiffeId... names) {
        try (PeerProxy peer = call(proxy, names)) {
            return peer.isCutOff();
        } catch (IOException e) {
            return true;
        }
    }

    private Credentials credentials(SpiffeId... names) {
        KeyPair pair = KeyPairs.generate(new SecureRandom());
        return new Credentials(
                List.of(mesh.ca().issueWorkload(Arrays.asList(names), pair.getPublic(), Duration.ofHours(1))),
                pair.getPrivate());
    }
}
