package io.parley.proxy.app;

import static org.awaitility.Awaitility.await;

import io.parley.agreement.port.PortSet;
import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyPairs;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.Direction;
import io.parley.proxy.Surroundings;
import io.parley.proxy.config.Application;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ListenerConfig.Destinations;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.listen.Guidance;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tcp.Agreed;
import io.parley.proxy.tcp.Ending;
import io.parley.proxy.tcp.Session;
import io.parley.proxy.tcp.Transport;
import io.parley.proxy.tls.CertificateSource;
import io.parley.proxy.tls.MeshCredentials;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.HeaderMagic;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Proxies on loopback with real certificates, and the values to configure them with. */
public final class TestMesh implements AutoCloseable {
    public static final SpiffeId CLIENT = SpiffeId.parse("spiffe://mesh.test/ns/default/sa/client");
    public static final SpiffeId SERVER = SpiffeId.parse("spiffe://mesh.test/ns/default/sa/server");
    public static final SpiffeId GATEWAY = SpiffeId.parse("spiffe://mesh.test/ns/default/sa/gateway");

    /** Waits are short, so that their ends can be tested, and long enough that a busy machine does not reach them by chance. */
    public static final Timeouts TIMEOUTS = new Timeouts(
            Duration.ofMillis(50),
            Duration.ofSeconds(2),
            Duration.ofMillis(300),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofMinutes(5),
            Duration.ofSeconds(10));

    /** The same, but no server is dialled because its client is silent for a moment: where dials are counted. */
    public static final Timeouts UNHURRIED = new Timeouts(
            Duration.ofMinutes(1),
            TIMEOUTS.detect(),
            TIMEOUTS.partial(),
            TIMEOUTS.header(),
            TIMEOUTS.handshake(),
            TIMEOUTS.connect(),
            TIMEOUTS.idle(),
            TIMEOUTS.drain());

    /** As a test tells a proxy what to do. */
    public static final Guidance TOLD = new Guidance("a test", null, "");

    private static final Duration A_DAY = Duration.ofDays(1);

    private final CertificateAuthority authority = authority();
    private final List<Proxy> proxies = new ArrayList<>();
    private final List<Session> ended = new CopyOnWriteArrayList<>();
    private final AtomicLong ahead = new AtomicLong();
    private final Surroundings surroundings = ahead(Surroundings.real());

    public static CertificateAuthority authority() {
        return CertificateAuthority.create("test mesh", A_DAY, Clock.systemUTC(), new SecureRandom());
    }

    public MeshCredentials issue(SpiffeId identity) {
        return issue(authority, identity, A_DAY);
    }

    /** A certificate and key for a peer that is no proxy of ours. */
    public Credentials credentials(SpiffeId identity) {
        KeyPair pair = KeyPairs.generate(new SecureRandom());
        return new Credentials(List.of(authority.issueWorkload(identity, pair.getPublic(), A_DAY)), pair.getPrivate());
    }

    public CertificateAuthority ca() {
        return authority;
    }

    public static MeshCredentials issue(CertificateAuthority authority, SpiffeId identity, Duration life) {
        KeyPair pair = KeyPairs.generate(new SecureRandom());
        return new MeshCredentials(
                new Credentials(List.of(authority.issueWorkload(identity, pair.getPublic(), life)), pair.getPrivate()),
                List.of(authority.certificate()));
    }

    public Proxy start(CertificateSource certificates, ProxyConfig config) {
        Proxy proxy = new Proxy(Transport.best(1), certificates, surroundings, ended::add);
        proxies.add(proxy);
        proxy.apply(config);
        return proxy;
    }

    public Proxy start(SpiffeId identity, ProxyConfig config) {
        Optional<MeshCredentials> held = Optional.of(issue(identity));
        return start(() -> held, config);
    }

    private Surroundings ahead(Surroundings real) {
        return new Surroundings(() -> real.ticker().getAsLong() + ahead.get(), real.clock(), real.chance());
    }

    /** Lets so much time pass for the proxies at once. */
    public void pass(Duration time) {
        ahead.addAndGet(time.toNanos());
    }

    /** Connections that are over, with what was decided about them. */
    public List<Session> ended() {
        return ended;
    }

    /** What was agreed on the first connection in this direction, open or over; waits for it. */
    public Agreed agreed(Direction direction) {
        return await().until(() -> firstAgreed(direction), Optional::isPresent).orElseThrow();
    }

    private Optional<Agreed> firstAgreed(Direction direction) {
        return allAgreed(direction).findFirst();
    }

    private Stream<Agreed> allAgreed(Direction direction) {
        return Stream.concat(
                        ended.stream(), proxies.stream().flatMap(proxy -> proxy.machinery().sessions().list().stream()))
                .filter(session -> session.accepted().direction() == direction)
                .flatMap(session -> Stream.ofNullable(session.agreed()));
    }

    /** What was decided on each connection in this direction so far, and by which rule. */
    public List<String> decisions(Direction direction) {
        return allAgreed(direction).map(TestMesh::text).toList();
    }

    /** How the first connection in this direction ended; waits for it. */
    public Ending ending(Direction direction) {
        return Objects.requireNonNull(over(direction).ending(), "it just ended");
    }

    /** The first connection in this direction that is over; waits for it. */
    public Session over(Direction direction) {
        return await().until(
                        () -> ended.stream()
                                .filter(s -> s.accepted().direction() == direction)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** What was decided and by which rule: {@code opaque by declared}. */
    public String decision(Direction direction) {
        return text(agreed(direction));
    }

    private static String text(Agreed agreed) {
        return agreed.because().value() + " by " + agreed.because().source().rule();
    }

    @Override
    public void close() {
        proxies.forEach(Proxy::close);
    }

    public static ProxyConfig config(List<ListenerConfig> listeners, ClusterConfig... clusters) {
        return config(TIMEOUTS, listeners, clusters);
    }

    public static ProxyConfig config(Timeouts timeouts, List<ListenerConfig> listeners, ClusterConfig... clusters) {
        Map<String, ClusterConfig> byName = new java.util.HashMap<>();
        for (ClusterConfig cluster : clusters) {
            byName.put(cluster.name(), cluster);
        }
        return new ProxyConfig("test", listeners, byName, timeouts);
    }

    /** A change of the first listener, which keeps its address: that was any. */
    public static ProxyConfig at(Proxy proxy, ProxyConfig config) {
        ListenerConfig known = proxy.config().listeners().getFirst();
        ListenerConfig changed = config.listeners().getFirst();
        return config(List.of(new ListenerConfig(
                known.name(),
                known.direction(),
                known.address(),
                known.destinations(),
                changed.routing(),
                known.limits())));
    }

    /** An inbound listener that is reached by other proxies, for an application on loopback. */
    public static ListenerConfig inbound(Map<Integer, InboundPort> ports, InboundPort others) {
        return inbound(new Routing.ToApplication(
                ports, PortSet.EMPTY, others, others, Application.at(loopback()), Map.of(), Set.of()));
    }

    public static ListenerConfig inbound(Routing.ToApplication routing) {
        return new ListenerConfig(
                "inbound", Direction.INBOUND, anyPort(), Destinations.LISTENER, routing, Limits.DEFAULT);
    }

    /** A listener that stands for one port of the application, as if the kernel redirected that port. */
    public static ListenerConfig redirected(int applicationPort, InboundPort port) {
        return new ListenerConfig(
                "redirected",
                Direction.INBOUND,
                anyPort(),
                Destinations.LISTENER,
                new Routing.ToPort(port, new InetSocketAddress(loopback(), applicationPort)),
                Limits.DEFAULT);
    }

    /** An outbound listener for one service. */
    public static ListenerConfig outbound(String service, Decision<Protocol> declared) {
        return new ListenerConfig(
                "outbound",
                Direction.OUTBOUND,
                anyPort(),
                Destinations.LISTENER,
                new Routing.Fixed(new OutboundTarget(service, declared, service)),
                Limits.DEFAULT);
    }

    public static ClusterConfig cluster(String name, Endpoint... endpoints) {
        return new ClusterConfig(name, List.of(endpoints), ClusterConfig.Breaker.DEFAULT);
    }

    public static Endpoint meshed(int applicationPort, InetSocketAddress proxy, SpiffeId identity) {
        return meshed(applicationPort, proxy, identity, null, Protocol.DETECT);
    }

    public static Endpoint meshed(
            int applicationPort,
            InetSocketAddress proxy,
            SpiffeId identity,
            @org.jspecify.annotations.Nullable String name,
            Protocol hint) {
        return new Endpoint(
                new InetSocketAddress(loopback(), applicationPort),
                new Endpoint.Mesh(proxy, identity, PeerIdentity.serverName(identity), HeaderMagic.SHIPPED, name, hint));
    }

    public static Endpoint plain(int port) {
        return Endpoint.plain(new InetSocketAddress(loopback(), port));
    }

    public static Decision<Protocol> declared(Protocol protocol) {
        return protocol == Protocol.DETECT
                ? Routing.undeclared()
                : new Decision<>(protocol, "the test says so", new Source("test", "protocol", "declared"));
    }

    /** A port for members of the mesh only. */
    public static InboundPort strict(Protocol protocol) {
        return new InboundPort(declared(protocol), new Authorization(Strangers.REFUSED, Set.of(), Set.of("mesh.test")));
    }

    /** A port for everybody. */
    public static InboundPort open(Protocol protocol) {
        return new InboundPort(
                declared(protocol),
                new Authorization(Strangers.ALLOWED, Authorization.Peers.ALL, Authorization.Peers.NONE));
    }

    /** For a program that binds it later: below those that the kernel gives to whoever asks for any. */
    static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 12_000);
            try (ServerSocket free = new ServerSocket(port, 1, loopback())) {
                return free.getLocalPort();
            } catch (IOException _) {
                // Somebody listens there: another one, then.
            }
        }
    }

    public static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(loopback(), 0);
    }
}
