package io.parley.xds.client;

import io.parley.xds.client.loop.Loop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of one answer on their way to watchers. When all have been dealt with, the next answer may be read: a slow watcher
 * slows the server down instead of filling memory.
 */
final class Deliveries {
    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

    private final Loop loop;
    private final Runnable whenDone;
    private int open = 1;

    Deliveries(Loop loop, Runnable whenDone) {
        this.loop = loop;
        this.whenDone = whenDone;
    }

    <T> void deliver(Subscriber<T> subscriber, WatchEvent<T> event) {
        run(subscriber, () -> subscriber.watcher().on(event));
    }

    <T> void settle(Subscriber<T> subscriber) {
        run(subscriber, () -> subscriber.watcher().settled());
    }

    /** There will be no more. */
    void seal() {
        finishOne();
    }

    private void run(Subscriber<?> subscriber, Runnable call) {
        open++;
        try {
            subscriber.executor().execute(() -> {
                try {
                    call.run();
                } catch (RuntimeException e) {
                    LOG.error("A watcher failed; the others are told all the same", e);
                } finally {
                    loop.execute(this::finishOne);
                }
            });
        } catch (RuntimeException e) {
            LOG.error("A watcher's executor takes no more; its events are lost", e);
            finishOne();
        }
    }

    private void finishOne() {
        loop.check();
        if (--open == 0) {
            whenDone.run();
        }
    }
}
