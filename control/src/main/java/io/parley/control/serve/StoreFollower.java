package io.parley.control.serve;

import io.parley.resource.KindId;
import io.parley.store.ResourceStore;
import io.parley.store.Revision;
import io.parley.store.StoreException;
import io.parley.store.Watch;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells on a thread of its own whenever resources of some kinds changed, and once at the start. Whoever is told reads what it needs
 * anew, so that a history that was dropped meanwhile loses nothing.
 */
final class StoreFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreFollower.class);
    private static final Duration POLL = Duration.ofSeconds(10);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final ResourceStore store;
    private final Set<KindId> kinds;
    private final Runnable changed;
    private final Thread thread;
    private final CountDownLatch stop = new CountDownLatch(1);

    StoreFollower(ResourceStore store, Set<KindId> kinds, Runnable changed, String name) {
        this.store = store;
        this.kinds = kinds;
        this.changed = changed;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!stopped()) {
            try {
                Revision from = store.revision();
                changed.run();
                follow(from);
            } catch (StoreException e) {
                if (!stopped()) {
                    LOG.warn("{}: {}; trying again", thread.getName(), e.getMessage());
                    pause();
                }
            } catch (RuntimeException e) {
                LOG.error("{}: a fault in the program; going on", thread.getName(), e);
                pause();
            }
        }
    }

    private void follow(Revision from) {
        try (Watch watch = store.watch(from)) {
            while (!stopped()) {
                switch (watch.poll(POLL)) {
                    case Watch.Events events -> {
                        if (events.events().stream()
                                .anyMatch(event -> kinds.contains(event.key().kind()))) {
                            changed.run();
                        }
                    }
                    case Watch.TooOld _ -> {
                        return;
                    }
                    case Watch.Nothing _ -> {}
                }
            }
        }
    }

    private void pause() {
        try {
            var _ = stop.await(AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            stop.countDown();
        }
    }

    private boolean stopped() {
        return stop.getCount() == 0;
    }

    @Override
    public void close() {
        stop.countDown();
        thread.interrupt();
    }
}
