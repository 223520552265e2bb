package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.loopback;

import io.parley.proxy.Direction;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.config.Balancing;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Routing;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http.HttpConfig.PathHandling;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteTable;
import io.parley.proxy.http.Telling;
import io.parley.proxy.http.VirtualHost;
import io.parley.proxy.listen.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A proxy before servers of HTTP, and what it has counted. Clients may speak either version. */
public final class HttpProxy implements AutoCloseable {
    private final TestMesh mesh = new TestMesh();
    private final Proxy proxy;

    private HttpProxy(ProxyConfig config) {
        this.proxy = mesh.start(CLIENT, config);
    }

    /** Requests go as they are to the server on this port, in this version. */
    public static HttpProxy to(int port, Version version) {
        return new HttpProxy(config(Protocol.DETECT, null, cluster("app", version, port)));
    }

    /** Requests go where the configuration says. */
    public static HttpProxy with(HttpConfig http, ClusterConfig... clusters) {
        return new HttpProxy(config(Protocol.DETECT, http, clusters));
    }

    /** The same for clients that must speak this. */
    public static HttpProxy declaring(Protocol protocol, HttpConfig http, ClusterConfig... clusters) {
        return new HttpProxy(config(protocol, http, clusters));
    }

    /** Requests go where the routes say, for whatever host. */
    public static HttpProxy routing(List<Route> routes, ClusterConfig... clusters) {
        return with(routed(routes), clusters);
    }

    public static HttpConfig routed(List<Route> routes) {
        return routed(routes, HttpTimeouts.DEFAULT, HttpLimits.DEFAULT);
    }

    public static HttpConfig routed(List<Route> routes, HttpTimeouts timeouts, HttpLimits limits) {
        VirtualHost all = new VirtualHost("all", List.of("*"), routes, Policies.NONE);
        return new HttpConfig(
                "way",
                new RouteTable("routes", List.of(all)),
                Policies.NONE,
                timeouts,
                limits,
                PathHandling.NORMALISED,
                Forwarding.KEPT,
                0,
                Telling.NOTHING);
    }

    /** Requests go to the first cluster, and this is told of them. */
    public static HttpProxy telling(Telling telling, ClusterConfig... clusters) {
        return with(told(telling, clusters), clusters);
    }

    /** From now on this is told of requests. */
    public void tell(Telling telling, ClusterConfig... clusters) {
        apply(told(telling, clusters), clusters);
    }

    private static HttpConfig told(Telling telling, ClusterConfig... clusters) {
        HttpConfig simple = HttpConfig.simple("way", clusters[0].name(), Forwarding.KEPT);
        return new HttpConfig(
                simple.name(),
                simple.routes(),
                simple.policies(),
                simple.timeouts(),
                simple.limits(),
                simple.paths(),
                simple.forwarding(),
                simple.trustedHops(),
                telling);
    }

    public static ClusterConfig cluster(String name, Version version, int... ports) {
        return cluster(name, new HttpUpstream(version, null, 10_000, null, List.of()), ports);
    }

    public static ClusterConfig cluster(String name, HttpUpstream http, int... ports) {
        return new ClusterConfig(
                name,
                Arrays.stream(ports).mapToObj(TestMesh::plain).toList(),
                ClusterConfig.Breaker.DEFAULT,
                http,
                new Balancing.LeastLoaded(),
                null,
                null);
    }

    private static ProxyConfig config(Protocol protocol, @Nullable HttpConfig http, ClusterConfig... clusters) {
        ListenerConfig listener = new ListenerConfig(
                "outbound",
                Direction.OUTBOUND,
                new InetSocketAddress(loopback(), 0),
                ListenerConfig.Destinations.LISTENER,
                new Routing.Fixed(new OutboundTarget("app", declared(protocol), clusters[0].name(), http)),
                ListenerConfig.Limits.DEFAULT);
        return TestMesh.config(TestMesh.UNHURRIED, List.of(listener), clusters);
    }

    public void apply(HttpConfig http, ClusterConfig... clusters) {
        proxy.apply(config(Protocol.DETECT, http, clusters));
    }

    /** How many clients are connected. */
    public int connections() {
        return proxy.machinery().sessions().count();
    }

    /** How many endpoints of a cluster are left out for now. */
    public long ejected(String cluster) {
        long now = proxy.machinery().surroundings().ticker().getAsLong();
        return proxy.machinery().clusters().find(cluster).orElseThrow().endpoints().stream()
                .filter(endpoint -> endpoint.isEjected(now))
                .count();
    }

    /** Whether each endpoint of a cluster is well, in their order. */
    public List<Boolean> health(String cluster) {
        return proxy.machinery().clusters().find(cluster).orElseThrow().endpoints().stream()
                .map(LiveEndpoint::isHealthy)
                .toList();
    }

    /** Lets so much time pass for the proxy at once. */
    public void pass(Duration time) {
        mesh.pass(time);
    }

    /** Ends without harming anybody; returns when that is done. */
    public void drain() throws InterruptedException {
        proxy.drain();
    }

    public Proxy proxy() {
        return proxy;
    }

    public InetSocketAddress address() {
        return proxy.address("outbound");
    }

    /** The sum over the series of this name that have all of these labels, written {@code label="value"}. */
    public long counted(String name, String... labels) {
        return metrics()
                .lines()
                .filter(line ->
                        line.startsWith(name + "{") && Arrays.stream(labels).allMatch(line::contains))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Everything that is counted. */
    public String metrics() {
        return proxy.machinery().telemetry().render();
    }

    /** How many series of this name there are. */
    public long series(String name) {
        return metrics().lines().filter(line -> line.startsWith(name + "{")).count();
    }

    /** How often something was held against a client. */
    public long abuses(String kind) {
        return counted("http_abuse_total", "kind=\"" + kind + "\"");
    }

    /** How often the proxy answered by itself. */
    public long errors(String cause) {
        return counted("http_errors_total", "cause=\"" + cause + "\"");
    }

    @Override
    public void close() {
        mesh.close();
    }
}
