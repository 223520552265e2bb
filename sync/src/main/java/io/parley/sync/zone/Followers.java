package io.parley.sync.zone;

import io.parley.agreement.sync.PriorityClass;
import io.parley.resource.kind.Kind;
import io.parley.store.ResourceStore;
import io.parley.sync.cache.Pace;
import io.parley.sync.cache.StoreFollower;
import io.parley.sync.codec.SyncKinds;
import io.parley.sync.status.SyncMetrics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A follower of the store for each class of kinds, or one for all where one stream carries all: a policy is not worked on after the flood
 * of insights that was there before it (case 45).
 */
final class Followers implements AutoCloseable {
    private final ResourceStore store;
    private final Pace pace;
    private final SyncMetrics metrics;
    private final Map<Optional<PriorityClass>, StoreFollower> open = new ConcurrentHashMap<>();

    Followers(ResourceStore store, Pace pace, SyncMetrics metrics) {
        this.store = store;
        this.pace = pace;
        this.metrics = metrics;
    }

    StoreFollower of(Optional<PriorityClass> only) {
        return open.computeIfAbsent(only, this::start);
    }

    private StoreFollower start(Optional<PriorityClass> only) {
        List<Kind> kinds = SyncKinds.of(SyncKinds.toGlobal(), only);
        StoreFollower follower = new StoreFollower(store, kinds, pace, System::nanoTime, StoreFollower.Observer.NONE);
        metrics.follow("", only, follower, kinds);
        follower.start();
        return follower;
    }

    @Override
    public void close() {
        open.values().forEach(StoreFollower::close);
    }
}
