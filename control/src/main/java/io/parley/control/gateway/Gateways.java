package io.parley.control.gateway;

import io.parley.control.explain.Explanation;
import io.parley.control.feed.StoreFeed;
import io.parley.control.gateway.attach.CheckedGateway;
import io.parley.control.gateway.attach.Placement;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.ObjectKinds;
import io.parley.control.gateway.model.RouteName;
import io.parley.control.gateway.model.World;
import io.parley.control.gateway.status.GatewayStatus;
import io.parley.control.gateway.status.Serving;
import io.parley.control.gateway.status.Status;
import io.parley.control.gateway.status.StatusWriter;
import io.parley.control.keys.ServerIdentity;
import io.parley.control.node.NodeKey;
import io.parley.resource.ResourceKey;
import io.parley.store.Event;
import io.parley.store.ResourceStore;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateways of a control plane: follows Gateway API objects in the store, keeps the snapshot of each Gateway, and has statuses
 * written. One thread does all of it, so that proxies and statuses see changes in the order in which they were stored.
 */
public final class Gateways implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateways.class);
    private static final Duration LOOK_FOR_PROXIES = Duration.ofMillis(250);

    /** A proxy that has lost its control plane tries again every 30 s at least. */
    private static final Duration PROXIES_COME_BACK = Duration.ofSeconds(40);

    /** A link that breaks is back in a second or two, and the proxy serves on meanwhile. */
    private static final Duration A_BREAK = Duration.ofSeconds(3);

    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("gateways").daemon().factory());
    private final Map<Name, LiveSnapshot> cells = new ConcurrentHashMap<>();
    private final Map<Name, Told> told = new HashMap<>();
    /** When a proxy of a gateway was last there. */
    private final Map<Name, Instant> seen = new HashMap<>();

    private final GatewayReports reports;
    private final InstantSource time;
    private final Instant patience;
    private final Translator translator;
    private final StatusWriter statuses;
    private final StoreFeed feed;

    /** What was said of a Gateway's proxies, and of which generation of it. */
    private record Told(long generation, Serving serving) {}

    private Gateways(ResourceStore store, Placement placement, InstantSource time, BooleanSupplier leads) {
        this.time = time;
        reports = new GatewayReports(time);
        patience = time.instant().plus(PROXIES_COME_BACK);
        statuses = new StatusWriter(store, time, leads);
        translator = new Translator(placement, this::told, new Results());
        statuses.start();
        feed = StoreFeed.open(store, ObjectKinds.all(), new Steps(), "gateway-feed");
        var _ = worker.scheduleWithFixedDelay(
                this::lookForProxies, LOOK_FOR_PROXIES.toMillis(), LOOK_FOR_PROXIES.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Begins to follow.
     *
     * @param leads whether this control plane writes statuses, of several that share the store
     */
    public static Gateways open(ResourceStore store, InstantSource time, BooleanSupplier leads) {
        return new Gateways(store, Placement.wholeMachine(ServerIdentity.machineName()), time, leads);
    }

    /** The cell of a gateway, which may be there before the Gateway is; without a snapshot until then. Does not block. */
    public LiveSnapshot of(Name gateway) {
        return cells.computeIfAbsent(gateway, _ -> new LiveSnapshot());
    }

    /** The cell of the gateway that a proxy serves. */
    public LiveSnapshot of(NodeKey node) {
        return of(name(node.name()));
    }

    /** Gateways' names may have dots, namespaces have none. */
    static Name name(String node) {
        int dot = node.lastIndexOf('.');
        return new Name(node.substring(dot + 1), node.substring(0, Math.max(0, dot)));
    }

    public GatewayWork work() {
        return translator.done();
    }

    /** Where proxies of gateways report to. */
    public GatewayReports reports() {
        return reports;
    }

    /**
     * Why gateways speak to a port of a Service as they do.
     *
     * @param route the one that is asked about; null for all that lead there
     */
    public Explanation explain(Name service, int port, @Nullable RouteName route) {
        return BackendExplainer.explain(translator.world(), reports, service, port, route);
    }

    /** All Gateways, and what proxies have joined for without there being a Gateway, by namespace and name. Waits for changes under way. */
    public List<GatewayLine> inspect() {
        return CompletableFuture.supplyAsync(this::lines, worker).join();
    }

    private List<GatewayLine> lines() {
        SortedSet<Name> names = new TreeSet<>(translator.world().gateways().keys());
        names.addAll(reports.joined());
        return names.stream()
                .map(name -> new GatewayLine(name.namespace(), name.name(), reports.proxies(name), problem(name)))
                .toList();
    }

    private String problem(Name name) {
        var declared = translator.world().gateways().find(name);
        if (declared.isEmpty()) {
            return "there is no such Gateway: its proxies get no configuration";
        }
        CheckedGateway ours = translator.gateway(name);
        return ours == null
                ? "there is no GatewayClass " + declared.get().spec().className() + " of " + Status.CONTROLLER
                : new GatewayStatus(ours, List.of(), serving(ours)).problem();
    }

    /** Runs until what was told before is done: for tests and measurements. */
    public void settle() {
        CompletableFuture.runAsync(() -> {}, worker).join();
    }

    /**
     * Who is not there may have gone, or may be about to come back: right after a start, and for a moment whenever a link breaks. And who
     * has just come, or is being told something new, has yet to say what it makes of it. What was said stays until then.
     */
    private Serving serving(CheckedGateway gateway) {
        Name name = gateway.name();
        LiveSnapshot cell = cells.get(name);
        if (cell != null && cell.watcherCount() > 0) {
            seen.put(name, time.instant());
            String refusal = reports.refusal(name);
            return refusal.isEmpty() && reports.isAwaited(name, listeners(cell))
                    ? asTold(gateway, new Serving.Unheard())
                    : new Serving.Somebody(reports.troubles(gateway), refusal);
        }
        Instant last = seen.get(name);
        boolean gone = time.instant().isAfter(last == null ? patience : last.plus(A_BREAK));
        return gone ? new Serving.Nobody() : asTold(gateway, new Serving.Unknown());
    }

    private static ResourceSet listeners(LiveSnapshot cell) {
        return cell.current().orElse(Snapshot.EMPTY).resources(ResourceType.LISTENER);
    }

    /** What was said of another generation says nothing of this one. */
    private Serving asTold(CheckedGateway gateway, Serving otherwise) {
        Told last = told.get(gateway.name());
        return last != null && last.generation == gateway.gateway().generation() ? last.serving : otherwise;
    }

    private Serving told(CheckedGateway gateway) {
        Serving now = serving(gateway);
        told.put(gateway.name(), new Told(gateway.gateway().generation(), now));
        return now;
    }

    /** Proxies come and go without a word to us, so we look. */
    private void lookForProxies() {
        try {
            for (CheckedGateway gateway : List.copyOf(translator.gateways())) {
                Told now = new Told(gateway.gateway().generation(), serving(gateway));
                if (!now.equals(told.get(gateway.name()))) {
                    translator.tellGateway(gateway.name());
                }
            }
        } catch (RuntimeException e) {
            LOG.error("it could not be told which gateways have proxies; looking again", e);
        }
    }

    private void submit(Runnable task) {
        try {
            worker.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    LOG.error("a change could not be made into configuration, the last one stays", e);
                }
            });
        } catch (RejectedExecutionException _) {
            LOG.debug("a change came after the end");
        }
    }

    /** Steps of the world, on the worker's thread. */
    private final class Steps implements StoreFeed.Sink {
        @Override
        public void reset(List<Event> all) {
            submit(() -> translator.reset(World.EMPTY.after(all)));
        }

        @Override
        public void step(List<Event> events) {
            submit(() -> translator.apply(translator.world().after(events)));
        }
    }

    private final class Results implements Translator.Output {
        @Override
        public void publish(Name gateway, Snapshot snapshot) {
            of(gateway).publish(snapshot);
        }

        @Override
        public void withdraw(Name gateway) {
            of(gateway).publish(Snapshot.EMPTY);
            told.remove(gateway);
            seen.remove(gateway);
        }

        @Override
        public void status(ResourceKey key, Status status) {
            statuses.write(key, status);
        }
    }

    @Override
    public void close() {
        feed.close();
        worker.shutdownNow();
        worker.close();
        statuses.close();
    }
}
