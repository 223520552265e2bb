package io.parley.control.serve;

import io.parley.control.draft.Flavor;
import io.parley.control.node.NodeKey;
import io.parley.link.config.ConfigSource;
import io.parley.link.config.ResourceState;
import io.parley.link.config.Watch;
import io.parley.link.config.World;
import io.parley.link.config.WorldSource;
import io.parley.link.server.NodeLink;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Feeds both versions of the {@code config} service from the snapshots that xDS clients are served from. */
final class SnapshotConfig implements ConfigSource, WorldSource {
    private final NodeSnapshots snapshots;
    private final UnfilledLinks unfilled;
    private final Executor blocking;

    /** Whole configurations are packed on the executor, since that takes longer than an event loop has. */
    SnapshotConfig(NodeSnapshots snapshots, UnfilledLinks unfilled, Executor blocking) {
        this.snapshots = snapshots;
        this.unfilled = unfilled;
        this.blocking = blocking;
    }

    @Override
    public Watch watch(NodeLink node, List<String> typeUrls, Consumer<Map<String, ResourceState>> states) {
        Map<String, String> told = new HashMap<>();
        return follow(node, Runnable::run, current -> {
            Map<String, ResourceState> changed = new HashMap<>();
            for (String typeUrl : typeUrls) {
                ResourceSet resources = current.resources(ResourceType.canonical(typeUrl));
                if (!resources.version().equals(told.put(typeUrl, resources.version()))) {
                    changed.put(typeUrl, state(resources));
                }
            }
            if (!changed.isEmpty()) {
                states.accept(changed);
            }
        });
    }

    @Override
    public Watch watch(NodeLink node, Consumer<World> world) {
        return follow(node, blocking, current -> world.accept(WorldDocument.of(current)));
    }

    private Watch follow(NodeLink node, Executor on, Consumer<Snapshot> tell) {
        NodeKey key = new NodeKey(node.principal().mesh(), node.principal().name());
        LiveSnapshot cell = snapshots.of(key, Flavor.PARLEY);
        UnfilledLinks.Visitor visitor = unfilled.joined(key, cell);
        var order = new ReentrantLock();
        // What is told is looked up under the lock, so that the newest is told last whoever comes first.
        Runnable telling = () -> {
            order.lock();
            try {
                cell.current().ifPresent(current -> {
                    visitor.filled();
                    tell.accept(current);
                });
            } finally {
                order.unlock();
            }
        };
        LiveSnapshot.Watcher watcher = _ -> on.execute(telling);
        cell.watch(watcher);
        on.execute(telling);
        return () -> {
            visitor.left();
            cell.unwatch(watcher);
        };
    }

    private static ResourceState state(ResourceSet resources) {
        Map<String, ResourceState.Item> items = new HashMap<>();
        for (EncodedResource resource : resources.resources()) {
            items.put(
                    resource.name(),
                    new ResourceState.Item(resource.version(), resource.toAny().getValue()));
        }
        return new ResourceState(resources.version(), items);
    }
}
