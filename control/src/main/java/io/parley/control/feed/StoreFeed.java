package io.parley.control.feed;

import io.parley.resource.KindId;
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
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread that follows a store. When the store cannot be read what was told stays, and what was missed comes later. */
public final class StoreFeed implements AutoCloseable {
    /** Is told on the feed's thread. */
    public interface Sink {
        /** All that there is; whatever was told before is to be forgotten. */
        void reset(List<Event> all);

        void step(List<Event> events);
    }

    private static final Logger LOG = LoggerFactory.getLogger(StoreFeed.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final ResourceStore store;
    private final List<KindId> kinds;
    private final Sink sink;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable Watch watch;

    private StoreFeed(ResourceStore store, Collection<KindId> kinds, Sink sink, String name) {
        this.store = store;
        this.kinds = List.copyOf(kinds);
        this.sink = sink;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::follow);
    }

    /**
     * Tells all that there is, then follows. When this returns the former is done.
     *
     * @param kinds what is read at first; changes are told of all kinds
     */
    public static StoreFeed open(ResourceStore store, Collection<KindId> kinds, Sink sink, String name) {
        StoreFeed feed = new StoreFeed(store, kinds, sink, name);
        feed.reload();
        feed.thread.start();
        return feed;
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
            case Watch.Events(List<Event> events, Revision _) -> sink.step(events);
            case Watch.TooOld _ -> {
                LOG.info("the store's history is gone, reading all of it again");
                reload();
            }
            case Watch.Nothing _ -> {}
        }
    }

    private void reload() {
        Revision revision = store.revision();
        List<Event> events = new ArrayList<>();
        kinds.forEach(kind -> read(kind, events));
        Watch earlier = watch;
        watch = store.watch(revision);
        if (earlier != null) {
            earlier.close();
        }
        sink.reset(events);
    }

    private void read(KindId kind, List<Event> events) {
        Cursor after = null;
        do {
            Page page = store.list(Query.of(kind).withLimit(1000).startingAfter(after));
            page.items().forEach(stored -> events.add(new Event.Written(stored)));
            after = page.next();
        } while (after != null);
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
