package io.parley.control.insight;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes insights at a steady pace, however fast they change: what came since the last round is written once. A store that cannot be
 * written to costs nothing but the insight's freshness.
 */
public final class InsightWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InsightWriter.class);
    private static final KindId MESH = new KindId("Mesh");
    private static final Duration PACE = Duration.ofMillis(250);
    private static final int MAX_WAITING = 100_000;

    private final ResourceStore store;
    private final String controlPlane;
    private final InstantSource time;
    private final ScheduledExecutorService timer;
    private final Map<NodeKey, NodeState> waiting = new ConcurrentHashMap<>();

    /** The timer is this writer's own, and may be blocked by the store. */
    public InsightWriter(ResourceStore store, String controlPlane, InstantSource time, ScheduledExecutorService timer) {
        this.store = store;
        this.controlPlane = controlPlane;
        this.time = time;
        this.timer = timer;
    }

    public void start() {
        var _ = timer.submit(new LeftoverConnections(store, controlPlane, time)::end);
        var _ = timer.scheduleWithFixedDelay(this::flush, PACE.toMillis(), PACE.toMillis(), TimeUnit.MILLISECONDS);
    }

    void write(NodeKey node, NodeState state) {
        if (waiting.size() < MAX_WAITING || waiting.containsKey(node)) {
            waiting.put(node, state);
        }
    }

    private void flush() {
        for (NodeKey node : List.copyOf(waiting.keySet())) {
            NodeState state = waiting.remove(node);
            if (state != null) {
                tryToWrite(node, state);
            }
        }
    }

    private void tryToWrite(NodeKey node, NodeState state) {
        try {
            put(node, state);
        } catch (StoreException e) {
            if (e.failure() instanceof Failure.Conflict) {
                // Another control plane wrote at the same moment: both belong into the insight.
                waiting.putIfAbsent(node, state);
            } else {
                LOG.warn("insight of {} not written: {}", node, e.getMessage());
            }
        } catch (RuntimeException e) {
            LOG.error("insight of {} not written: this is a fault in the program", node, e);
        }
    }

    private void put(NodeKey node, NodeState state) {
        ResourceKey mesh = new ResourceKey(MESH, "", node.mesh());
        if (store.find(mesh).isEmpty()) {
            return;
        }
        Optional<Stored> before = store.find(node.insight());
        ObjectNode tree =
                before.map(stored -> stored.resource().spec().tree()).orElseGet(JsonNodeFactory.instance::objectNode);
        InsightDocument.update(tree, state, controlPlane);
        Expected expected =
                before.map(stored -> Expected.exactly(stored.revision())).orElse(Expected.absent());
        store.put(new Change.Put(Resource.of(node.insight(), Document.of(tree)), expected, mesh));
    }

    /** Writes what is left. */
    @Override
    public void close() {
        timer.close();
        flush();
    }
}
