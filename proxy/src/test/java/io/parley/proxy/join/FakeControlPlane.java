package io.parley.proxy.join;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.server.Server;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.SigningRequest;
import io.parley.identity.certificate.SpiffeId;
import io.parley.link.auth.Authentication;
import io.parley.link.auth.NodePrincipal;
import io.parley.link.auth.TokenAuthenticator;
import io.parley.link.config.ConfigListener;
import io.parley.link.config.ConfigServerV2;
import io.parley.link.config.ResourceState;
import io.parley.link.identity.CertificateIssuer;
import io.parley.link.identity.IdentityServer;
import io.parley.link.server.AcceptLoops;
import io.parley.link.server.LinkEndpoint;
import io.parley.link.server.LinkListener;
import io.parley.link.server.NodeLink;
import io.parley.link.telemetry.NodeReport;
import io.parley.link.telemetry.TelemetryServer;
import io.parley.proxy.config.xds.Resources;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/** The control plane's real end of a link, on a TLS port, with resources and a name for each node that a test sets. */
final class FakeControlPlane implements AutoCloseable {
    static final String TOKEN = "a-token";

    final Queue<NodeReport> reports = new ConcurrentLinkedQueue<>();
    final Queue<String> refusals = new ConcurrentLinkedQueue<>();

    private final CertificateAuthority authority;
    private final Map<String, SpiffeId> names;
    private final Map<String, Map<String, ResourceState>> states = new ConcurrentHashMap<>();
    private final Map<String, List<Consumer<Map<String, ResourceState>>>> watchers = new ConcurrentHashMap<>();
    private Server server;
    private LinkEndpoint endpoint;

    FakeControlPlane(CertificateAuthority authority, Map<String, SpiffeId> names) {
        this.authority = authority;
        this.names = names;
        this.endpoint = endpoint();
        this.server = start(0);
    }

    int port() {
        return server.activeLocalPort();
    }

    /** Says what a node is to have of one type. One that comes meanwhile is told so after what there was before. */
    synchronized void publish(String node, ResourceType type, String version, Message... resources) {
        Map<String, ResourceState.Item> items = new ConcurrentHashMap<>();
        Resources.bytes(resources).forEach((name, bytes) -> items.put(name, item(bytes)));
        ResourceState state = new ResourceState(version, items);
        String url = type.url(ApiVersion.V3);
        states.computeIfAbsent(node, _ -> new ConcurrentHashMap<>()).put(url, state);
        watchers.getOrDefault(node, List.of()).forEach(watcher -> watcher.accept(Map.of(url, state)));
    }

    private static ResourceState.Item item(ByteString bytes) {
        return new ResourceState.Item(Integer.toHexString(bytes.hashCode()), bytes);
    }

    private LinkEndpoint endpoint() {
        return new LinkEndpoint(
                LinkEndpoint.Settings.of("cp"),
                new TokenAuthenticator((token, credentials) -> CompletableFuture.completedFuture(
                        token.equals(TOKEN)
                                ? new Authentication.Granted(NodePrincipal.named(credentials.nodeId()))
                                : new Authentication.Unauthenticated("not the token"))),
                List.of(
                        ConfigServerV2.binding(this::watch, new Noting()),
                        IdentityServer.binding(this::issue),
                        TelemetryServer.binding((_, report) -> reports.add(report))),
                new LinkListener() {},
                Clock.systemUTC(),
                () -> ThreadLocalRandom.current().nextLong());
    }

    private synchronized io.parley.link.config.Watch watch(
            NodeLink node, List<String> urls, Consumer<Map<String, ResourceState>> watcher) {
        String name = node.principal().name();
        watchers.computeIfAbsent(name, _ -> new CopyOnWriteArrayList<>()).add(watcher);
        watcher.accept(states.getOrDefault(name, Map.of()));
        return () -> watchers.getOrDefault(name, List.of()).remove(watcher);
    }

    private CompletableFuture<CertificateIssuer.Issued> issue(NodeLink node, byte[] csr) {
        SpiffeId name = names.getOrDefault(node.principal().name(), new SpiffeId("mesh", "/unknown"));
        SigningRequest request = SigningRequest.read(csr, name);
        return CompletableFuture.completedFuture(new CertificateIssuer.Issued(
                List.of(authority.issueWorkload(name, request.publicKey(), Duration.ofHours(1))),
                List.of(authority.certificate())));
    }

    private final class Noting implements ConfigListener {
        @Override
        public void refused(NodeLink node, String type, String version, String reason) {
            refusals.add(reason);
        }
    }

    private Server start(int port) {
        Credentials tls = authority.issueServer(List.of("localhost"), List.of("127.0.0.1"), Duration.ofHours(1));
        Server started = Server.builder()
                .https(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .tls(TlsKeyPair.of(tls.key(), tls.chain()))
                .service(LinkEndpoint.PATH, endpoint.httpService())
                .gracefulShutdownTimeoutMillis(0, 0)
                .bossGroupFactory(AcceptLoops::named)
                .build();
        started.start().join();
        return started;
    }

    /** Goes away, as if killed. */
    void stop() {
        server.stop().join();
    }

    /** Comes back on the same port. */
    void startAgain(int port) {
        endpoint = endpoint();
        server = start(port);
    }

    @Override
    public void close() {
        endpoint.close();
        stop();
    }
}
