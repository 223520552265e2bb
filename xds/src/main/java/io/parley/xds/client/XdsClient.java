package io.parley.xds.client;

import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.load.ClusterLoad;
import io.parley.xds.client.loop.Loop;
import io.parley.xds.client.resource.ResourceParser;
import io.parley.xds.client.transport.LastingStream.Retrying;
import io.parley.xds.client.transport.TransportFactory;
import io.parley.xds.type.ResourceType;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * An xDS client (gRPC A27, A30 and what followed). It may be used from any thread; all its work is done on the loop that it is
 * given, and so are the calls to watchers that name no executor.
 */
public final class XdsClient implements AutoCloseable {
    private static final Set<ResourceType> LISTABLE = Set.of(ResourceType.LISTENER, ResourceType.CLUSTER);

    private final Loop loop;
    private final Engine engine;
    private final LoadReporting loads;
    private final Map<ResourceType, ResourceParser<?>> parsers = new ConcurrentHashMap<>();

    public XdsClient(ClientSettings settings, TransportFactory transports, Loop loop, RandomGenerator random) {
        this.loop = loop;
        Retrying retrying = new Retrying(loop, settings.backoff(), random);
        TransportFactory shared = new SharedTransports(transports);
        this.engine = new Engine(settings, loop, new ServerLinks(settings, shared, retrying));
        this.loads = new LoadReporting(settings, shared, retrying);
    }

    /** Watches one resource. */
    public <T> Watch watch(ResourceParser<T> parser, String name, Watcher<T> watcher) {
        return watch(parser, name, watcher, Runnable::run);
    }

    /** Watches one resource; the watcher is called on the executor, which must keep the order of what it is given. */
    public <T> Watch watch(ResourceParser<T> parser, String name, Watcher<T> watcher, Executor executor) {
        checkParser(parser);
        Subscriber<T> subscriber = new Subscriber<>(watcher, executor);
        loop.execute(() -> engine.watch(parser, name, subscriber));
        return () -> loop.execute(() -> engine.unwatch(parser, name, subscriber));
    }

    /** Watches all resources that the first servers of the bootstrap have for this node; for listeners and clusters only. */
    public <T> Watch watchAll(ResourceParser<T> parser, Watcher<T> watcher) {
        return watchAll(parser, watcher, Runnable::run);
    }

    /** Watches all resources; the watcher is called on the executor, which must keep the order of what it is given. */
    public <T> Watch watchAll(ResourceParser<T> parser, Watcher<T> watcher, Executor executor) {
        if (!LISTABLE.contains(parser.type())) {
            throw new IllegalArgumentException("type: " + parser.type() + " (expected: one of " + LISTABLE + ")");
        }
        checkParser(parser);
        Subscriber<T> subscriber = new Subscriber<>(watcher, executor);
        loop.execute(() -> engine.watchAll(parser, subscriber));
        return () -> loop.execute(() -> engine.unwatchAll(parser, subscriber));
    }

    /** Resources are kept as parsed, so all watchers of a type must want them parsed in the same way. */
    private void checkParser(ResourceParser<?> parser) {
        ResourceParser<?> known = parsers.putIfAbsent(parser.type(), parser);
        if (known != null && !known.equals(parser)) {
            throw new IllegalArgumentException(
                    "parser: " + parser + " (expected: the one that " + parser.type() + " is watched with already)");
        }
    }

    /**
     * Counters for the calls to a cluster, whose counts this server is told when it asks (gRPC A30: in the same version as
     * discovery). The caller closes them when the cluster is no longer used.
     *
     * @param service name under which the cluster's endpoints are known, may be empty
     */
    public ClusterLoad load(XdsServer server, String cluster, String service) {
        return loads.cluster(server, cluster, service);
    }

    /** Ends all streams. Watchers are told nothing more. The loop is the caller's to close. */
    @Override
    public void close() {
        loop.execute(() -> {
            engine.close();
            loads.close();
        });
    }
}
