package io.parley.sync.cache;

import io.parley.resource.KindId;
import io.parley.resource.kind.Kind;
import io.parley.store.Cursor;
import io.parley.store.Event;
import io.parley.store.Failure;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Revision;
import io.parley.store.StoreException;
import io.parley.store.Stored;
import io.parley.store.Watch;
import io.parley.sync.codec.Outgoing;
import io.parley.xds.server.snapshot.LiveSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a store with one thread and keeps what peers are sent up to date, each kind at its own pace. Nothing is published before the
 * whole store was read: an unreadable store looks like silence, never like an empty one (case 22).
 */
public final class StoreFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreFollower.class);
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

    private final ResourceStore store;
    private final Map<KindId, Kind> kinds = new HashMap<>();
    private final Map<KindId, KindPace> paces = new HashMap<>();
    private final LongSupplier ticker;
    private final Observer observer;
    private final Map<Object, Publication> publications = new ConcurrentHashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean stale = true;
    private volatile @Nullable Watch watch;

    /** Sees every list and event before it is published; called on the follower's thread. */
    public interface Observer {
        Observer NONE = new Observer() {};

        /** All resources are about to be read again. */
        default void reading(ResourceStore store) {}

        /** Whether what is published depends on this event in other ways than by being it, so that all is to be read again. */
        default boolean upsets(Event event) {
            return false;
        }
    }

    public StoreFollower(ResourceStore store, List<Kind> kinds, Pace pace, LongSupplier ticker, Observer observer) {
        this.store = store;
        this.ticker = ticker;
        this.observer = observer;
        for (Kind kind : kinds) {
            this.kinds.put(kind.id(), kind);
            paces.put(kind.id(), new KindPace(pace.of(kind.id())));
        }
        thread = Thread.ofVirtual().name("sync-follower").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** What peers that share this key are sent. The first to ask has it made. */
    public LiveSnapshot follow(Object key, Outgoing outgoing) {
        Publication made = new Publication(outgoing, List.copyOf(kinds.values()));
        Publication present = publications.putIfAbsent(key, made);
        if (present == null) {
            readAgain();
        }
        return (present == null ? made : present).live();
    }

    /** Age of the oldest change of the kind that is not published yet; zero if there is none. */
    public Duration staleness(KindId kind) {
        KindPace pace = paces.get(kind);
        return pace == null ? Duration.ZERO : pace.staleness(ticker.getAsLong());
    }

    /** Has everything read again, soon. */
    private void readAgain() {
        stale = true;
        Watch open = watch;
        if (open != null) {
            open.close();
        }
    }

    private void run() {
        while (closing.getCount() > 0) {
            try {
                Revision from = readAll();
                followFrom(from);
            } catch (StoreException e) {
                if (!(e.failure() instanceof Failure.Closed)) {
                    LOG.warn("the store cannot be read, peers keep what they have: {}", e.getMessage());
                }
                pauseUnless(stale && e.failure() instanceof Failure.Closed);
            } catch (RuntimeException e) {
                // Streams would look healthy and never say anything again if this thread ended.
                LOG.error("fault while following the store, peers keep what they have; it is read again", e);
                pauseUnless(false);
            }
        }
    }

    private void pauseUnless(boolean hurry) {
        try {
            if (!hurry) {
                var _ = closing.await(AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            closing.countDown();
        }
    }

    private Revision readAll() {
        stale = false;
        Revision from = store.revision();
        List<Publication> all = List.copyOf(publications.values());
        observer.reading(store);
        if (!all.isEmpty()) {
            for (Kind kind : kinds.values()) {
                List<Stored> rows = list(kind.id());
                all.forEach(publication -> publication.replace(kind, rows));
                required(kind.id()).published(ticker.getAsLong());
            }
        }
        all.forEach(Publication::publishAll);
        return from;
    }

    private List<Stored> list(KindId kind) {
        List<Stored> rows = new ArrayList<>();
        Cursor after = null;
        do {
            Page page = store.list(Query.of(kind).withLimit(Query.MAX_LIMIT).startingAfter(after));
            rows.addAll(page.items());
            after = page.next();
        } while (after != null);
        return rows;
    }

    private void followFrom(Revision from) {
        try (Watch opened = store.watch(from)) {
            watch = opened;
            while (!stale && closing.getCount() > 0) {
                switch (opened.poll(untilNextDue())) {
                    case Watch.Events found -> found.events().forEach(this::note);
                    case Watch.TooOld _ -> stale = true;
                    case Watch.Nothing _ -> {}
                }
                publishDue();
            }
        } finally {
            watch = null;
        }
    }

    private void note(Event event) {
        KindPace pace = paces.get(event.key().kind());
        if (pace != null) {
            publications.values().forEach(publication -> publication.note(event));
            pace.noted(ticker.getAsLong());
        }
        if (observer.upsets(event)) {
            stale = true;
        }
    }

    private void publishDue() {
        long now = ticker.getAsLong();
        boolean any = false;
        for (Kind kind : kinds.values()) {
            KindPace pace = required(kind.id());
            if (pace.isDue(now)) {
                publications.values().forEach(publication -> publication.flush(kind));
                pace.published(now);
                any = true;
            }
        }
        if (any) {
            publications.values().forEach(Publication::publish);
        }
    }

    private Duration untilNextDue() {
        long now = ticker.getAsLong();
        Duration shortest = IDLE;
        for (KindPace pace : paces.values()) {
            Duration left = pace.untilDue(now);
            shortest = left.compareTo(shortest) < 0 ? left : shortest;
        }
        return shortest;
    }

    private KindPace required(KindId kind) {
        KindPace pace = paces.get(kind);
        if (pace == null) {
            throw new IllegalStateException("kind is not followed: " + kind);
        }
        return pace;
    }

    @Override
    public void close() {
        closing.countDown();
        Watch open = watch;
        if (open != null) {
            open.close();
        }
        try {
            if (!thread.join(Duration.ofSeconds(10))) {
                LOG.warn("the follower of the store did not stop in time");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
