package io.parley.control.gateway.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.Document;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes statuses as they become known, many in one commit, and only those that say something new. Of several for one object the last
 * is written. An object that somebody changed meanwhile is read again; its own change will bring its own status.
 */
public final class StatusWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);
    private static final int BATCH = 200;
    private static final Duration AFTER_FAILURE = Duration.ofMillis(200);

    private final ResourceStore store;
    private final InstantSource time;
    private final BooleanSupplier leads;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final Map<ResourceKey, Status> waiting = new LinkedHashMap<>();
    private final Thread thread = Thread.ofVirtual().name("gateway-status").unstarted(this::run);

    /**
     * For one store.
     *
     * @param leads of several control planes with one store only the leader writes
     */
    public StatusWriter(ResourceStore store, InstantSource time, BooleanSupplier leads) {
        this.store = store;
        this.time = time;
        this.leads = leads;
    }

    public void start() {
        thread.start();
    }

    /** Does not block. */
    public void write(ResourceKey key, Status status) {
        lock.lock();
        try {
            waiting.put(key, status);
            news.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        for (Map<ResourceKey, Status> some = take(); !some.isEmpty(); some = take()) {
            try {
                // Those that do not lead keep what they know until they do.
                if (!leads.getAsBoolean() || !commit(some)) {
                    putBack(some);
                    pause();
                }
            } catch (RuntimeException e) {
                LOG.error("{} statuses not written: this is a fault in the program", some.size(), e);
            }
        }
    }

    private boolean commit(Map<ResourceKey, Status> some) {
        try {
            List<Change> changes = new ArrayList<>();
            some.forEach((key, status) -> change(key, status).ifPresent(changes::add));
            if (!changes.isEmpty()) {
                store.commit(changes);
            }
            return true;
        } catch (StoreException e) {
            if (!(e.failure() instanceof Failure.Conflict)) {
                LOG.warn("{} statuses not written yet: {}", some.size(), e.getMessage());
            }
            return e.failure() instanceof Failure.Closed;
        }
    }

    private Optional<Change> change(ResourceKey key, Status status) {
        Optional<Stored> found = store.find(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Stored stored = found.get();
        Document before = stored.resource().status();
        ObjectNode earlier = before == null ? JsonNodeFactory.instance.objectNode() : before.tree();
        ObjectNode after = status.after(earlier, time.instant());
        return after.equals(earlier)
                ? Optional.empty()
                : Optional.of(new Change.Put(
                        stored.resource().withStatus(Document.of(after)),
                        Expected.exactly(stored.revision()),
                        stored.owner()));
    }

    /** Waits for some; none when closed. */
    private Map<ResourceKey, Status> take() {
        lock.lock();
        try {
            while (waiting.isEmpty() && closed.getCount() > 0) {
                news.awaitUninterruptibly();
            }
            Map<ResourceKey, Status> some = new LinkedHashMap<>();
            var each = waiting.entrySet().iterator();
            while (closed.getCount() > 0 && each.hasNext() && some.size() < BATCH) {
                var entry = each.next();
                some.put(entry.getKey(), entry.getValue());
                each.remove();
            }
            return some;
        } finally {
            lock.unlock();
        }
    }

    private void putBack(Map<ResourceKey, Status> some) {
        lock.lock();
        try {
            some.forEach(waiting::putIfAbsent);
        } finally {
            lock.unlock();
        }
    }

    private void pause() {
        try {
            var _ = closed.await(AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed.countDown();
            news.signal();
        } finally {
            lock.unlock();
        }
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
