package io.parley.control.app;

import io.micrometer.core.instrument.MeterRegistry;
import io.parley.store.Role;
import io.parley.sync.ZoneSettings;
import io.parley.sync.zone.ZoneSync;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a zone in step with global, on the one of its control planes that leads. */
final class ZoneFollowing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ZoneFollowing.class);
    private static final Duration LOOK = Duration.ofMinutes(1);

    private final Storage storage;
    private final Mode.Zone mode;
    private final ZoneSettings settings;
    private final MeterRegistry metrics;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("zone-following").unstarted(this::run);

    ZoneFollowing(Storage storage, Mode.Zone mode, ZoneSettings settings, MeterRegistry metrics) {
        this.storage = storage;
        this.mode = mode;
        this.settings = settings;
        this.metrics = metrics;
    }

    void start() {
        thread.start();
    }

    private void run() {
        @Nullable ZoneSync sync = null;
        try {
            while (closing.getCount() > 0) {
                Role role = storage.election().role();
                if (role == Role.LEADER && sync == null) {
                    LOG.info("zone {} follows {}", mode.name(), mode.global().url());
                    sync = ZoneSync.start(storage.store(), mode.global(), settings, metrics);
                } else if (role == Role.FOLLOWER && sync != null) {
                    sync.close();
                    sync = null;
                }
                var _ = storage.election().awaitChange(role, LOOK);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            if (sync != null) {
                sync.close();
            }
        }
    }

    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
        try {
            var _ = thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
