package io.parley.control.snapshot;

import io.parley.control.model.Model;
import io.parley.resource.KindId;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import io.parley.store.Cursor;
import io.parley.store.Event;
import io.parley.store.Failure;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Revision;
import io.parley.store.StoreException;
import io.parley.store.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a model up to date with a store. One thread follows the store and tells listeners of each step; when the store cannot be
 * read the last model stays, and what was missed comes with the next step.
 */
public final class ModelFeed implements AutoCloseable {
    /** Is told of each step on the feed's thread: must only note it and return. */
    @FunctionalInterface
    public interface Listener {
        void changed(Model.Update update);
    }

    private static final Logger LOG = LoggerFactory.getLogger(ModelFeed.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Set<KindId> NOT_READ = Set.of(new KindId("core/Secret"), new KindId("core/ConfigMap"));

    private final ResourceStore store;
    private final @Nullable String localZone;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private volatile Model current;
    private volatile @Nullable Watch watch;

    private ModelFeed(ResourceStore store, @Nullable String localZone) {
        this.store = store;
        this.localZone = localZone;
        this.current = Model.empty(localZone);
        this.thread = Thread.ofVirtual().name("model-feed").unstarted(this::follow);
    }

    /**
     * Reads all that there is, then follows. When this returns the model is there.
     *
     * @param localZone the zone that this control plane serves; null if there are none
     */
    public static ModelFeed open(ResourceStore store, @Nullable String localZone) {
        ModelFeed feed = new ModelFeed(store, localZone);
        feed.reload();
        feed.thread.start();
        return feed;
    }

    public Model current() {
        return current;
    }

    public void listen(Listener listener) {
        listeners.add(listener);
    }

    public void unlisten(Listener listener) {
        listeners.remove(listener);
    }

    private void follow() {
        while (closed.getCount() > 0) {
            try {
                Watch following = watch;
                if (following == null) {
                    reload();
                } else {
                    step(following.poll(POLL));
                }
            } catch (StoreException e) {
                if (e.failure() instanceof Failure.Closed) {
                    return;
                }
                LOG.warn("cannot follow the store, what was configured stays: {}", e.getMessage());
                pause();
            }
        }
    }

    private void step(Watch.Polled polled) {
        switch (polled) {
            case Watch.Events(List<Event> events, Revision _) -> publish(current.after(events));
            case Watch.TooOld _ -> {
                LOG.info("the store's history is gone, reading all of it again");
                reload();
            }
            case Watch.Nothing _ -> {}
        }
    }

    /** Reads everything into a fresh model: whoever listens takes it for a change of all. */
    private void reload() {
        Revision revision = store.revision();
        List<Event> events = new ArrayList<>();
        for (Kind kind : Kinds.all()) {
            if (!NOT_READ.contains(kind.id())) {
                read(kind.id(), events);
            }
        }
        Watch earlier = watch;
        watch = store.watch(revision);
        if (earlier != null) {
            earlier.close();
        }
        publish(new Model.Update(Model.empty(localZone).after(events).model(), Set.of(), true));
    }

    private void read(KindId kind, List<Event> events) {
        Cursor after = null;
        do {
            Page page = store.list(Query.of(kind).withLimit(1000).startingAfter(after));
            page.items().forEach(stored -> events.add(new Event.Written(stored)));
            after = page.next();
        } while (after != null);
    }

    private void publish(Model.Update update) {
        current = update.model();
        listeners.forEach(listener -> listener.changed(update));
    }

    private void pause() {
        try {
            var _ = closed.await(RETRY.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        Watch following = watch;
        if (following != null) {
            following.close();
        }
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
