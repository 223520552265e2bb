package io.parley.control.insight;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.control.node.NodeKey;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.ResourceStore;
import io.parley.store.StoreException;
import io.parley.store.Stored;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes insights at a steady pace, however fast they change: what came since the last round is written once, many data planes in one
 * commit. What cannot be written now is written later.
 */
public final class InsightWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InsightWriter.class);
    private static final KindId MESH = new KindId("Mesh");
    private static final Duration PACE = Duration.ofMillis(250);
    private static final int MAX_WAITING = 100_000;
    private static final int BATCH = 200;

    private final ResourceStore store;
    private final String controlPlane;
    private final InstantSource time;
    private final ScheduledExecutorService timer;
    private final Counter dropped;
    private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();

    /** A state of one connection that is not written yet. */
    private record Waiting(NodeKey node, NodeState state) {}

    /** The timer is this writer's own, and may be blocked by the store. */
    public InsightWriter(
            ResourceStore store,
            String controlPlane,
            MeterRegistry metrics,
            InstantSource time,
            ScheduledExecutorService timer) {
        this.store = store;
        this.controlPlane = controlPlane;
        this.time = time;
        this.timer = timer;
        this.dropped = Counter.builder("parley.insights.dropped")
                .description("States of connections that were not written because too many waited")
                .register(metrics);
    }

    public void start() {
        var _ = timer.submit(new LeftoverConnections(store, controlPlane, time)::end);
        var _ = timer.scheduleWithFixedDelay(this::flush, PACE.toMillis(), PACE.toMillis(), TimeUnit.MILLISECONDS);
    }

    void write(NodeKey node, NodeState state) {
        if (waiting.size() >= MAX_WAITING && !waiting.containsKey(state.subscription())) {
            dropped.increment();
            LOG.warn("insight of {} not written: {} others wait for the store", node, MAX_WAITING);
            return;
        }
        waiting.put(state.subscription(), new Waiting(node, state));
    }

    private void flush() {
        Map<NodeKey, List<Waiting>> byNode = new LinkedHashMap<>();
        for (String subscription : List.copyOf(waiting.keySet())) {
            Waiting taken = waiting.remove(subscription);
            if (taken != null) {
                byNode.computeIfAbsent(taken.node(), _ -> new ArrayList<>()).add(taken);
            }
        }
        List<List<Waiting>> nodes = List.copyOf(byNode.values());
        for (int from = 0; from < nodes.size(); from += BATCH) {
            tryToCommit(nodes.subList(from, Math.min(from + BATCH, nodes.size())));
        }
    }

    private void tryToCommit(List<List<Waiting>> nodes) {
        try {
            List<Change> changes = new ArrayList<>();
            nodes.forEach(states -> change(states).ifPresent(changes::add));
            if (!changes.isEmpty()) {
                store.commit(changes);
            }
        } catch (StoreException e) {
            // Another control plane wrote one of them at the same moment, or the store is away.
            if (!(e.failure() instanceof Failure.Conflict)) {
                LOG.warn("insights of {} data planes not written yet: {}", nodes.size(), e.getMessage());
            }
            nodes.forEach(states ->
                    states.forEach(each -> waiting.putIfAbsent(each.state().subscription(), each)));
        } catch (RuntimeException e) {
            LOG.error("insights of {} data planes not written: this is a fault in the program", nodes.size(), e);
        }
    }

    /** What is to be written of one data plane: nothing if its mesh is gone, or if nobody but itself says that it exists. */
    private Optional<Change> change(List<Waiting> states) {
        NodeKey node = states.getFirst().node();
        boolean proven =
                states.stream().anyMatch(each -> each.state().protocol().equals(DataplaneInsights.LINK));
        return (node.isZoneProxy() ? zoneProxy(node) : dataplane(node, proven)).map(place -> change(place, states));
    }

    /** Which insight it is, and with what it goes. */
    private record Place(ResourceKey insight, ResourceKey owner) {}

    private Optional<Place> dataplane(NodeKey node, boolean proven) {
        ResourceKey mesh = new ResourceKey(MESH, "", node.mesh());
        boolean declared = store.find(node.dataplane()).isPresent();
        if (store.find(mesh).isEmpty() || (!declared && !proven)) {
            return Optional.empty();
        }
        return Optional.of(new Place(node.insight(), declared ? node.dataplane() : mesh));
    }

    private Optional<Place> zoneProxy(NodeKey node) {
        return node.zoneProxies().stream()
                .filter(proxy -> store.find(proxy).isPresent())
                .findFirst()
                .map(proxy -> new Place(NodeKey.insightOf(proxy), proxy));
    }

    private Change change(Place place, List<Waiting> states) {
        Optional<Stored> before = store.find(place.insight());
        ObjectNode tree =
                before.map(stored -> stored.resource().spec().tree()).orElseGet(JsonNodeFactory.instance::objectNode);
        states.forEach(each -> InsightDocument.update(tree, each.state(), controlPlane));
        Expected expected =
                before.map(stored -> Expected.exactly(stored.revision())).orElse(Expected.absent());
        return new Change.Put(Resource.of(place.insight(), Document.of(tree)), expected, place.owner());
    }

    /** Writes what is left. */
    @Override
    public void close() {
        timer.close();
        flush();
    }
}
