package io.parley.control.app;

import io.micrometer.core.instrument.MeterRegistry;
import io.parley.store.LeaderElection;
import io.parley.store.ResourceStore;
import io.parley.store.Role;
import io.parley.sync.ZoneSettings;
import io.parley.sync.admin.Answer;
import io.parley.sync.zone.LinkState;
import io.parley.sync.zone.ZoneSync;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a zone in step with global, on the one of its control planes that leads. */
final class ZoneFollowing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ZoneFollowing.class);
    private static final Duration LOOK = Duration.ofMinutes(1);

    private final ResourceStore store;
    private final LeaderElection election;
    private final Mode.Zone mode;
    private final ZoneSettings settings;
    private final MeterRegistry metrics;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("zone-following").unstarted(this::run);
    private volatile Answer.Source proxies = Answer.Source.NOBODY;
    private volatile @Nullable ZoneSync sync;

    ZoneFollowing(
            ResourceStore store,
            LeaderElection election,
            Mode.Zone mode,
            ZoneSettings settings,
            MeterRegistry metrics) {
        this.store = store;
        this.election = election;
        this.mode = mode;
        this.settings = settings;
        this.metrics = metrics;
    }

    /** Begins; what global asks about proxies is answered by {@code known}. */
    void start(Answer.Source known) {
        proxies = known;
        thread.start();
    }

    /** How it stands with global; nothing on control planes of the zone that do not lead. */
    List<LinkState> links() {
        ZoneSync following = sync;
        return following == null ? List.of() : following.states();
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                Role role = election.role();
                ZoneSync following = sync;
                if (role == Role.LEADER && following == null) {
                    LOG.info("zone {} follows {}", mode.name(), mode.global().url());
                    sync = ZoneSync.start(store, mode.global(), settings, proxies, metrics);
                } else if (role == Role.FOLLOWER && following != null) {
                    sync = null;
                    following.close();
                }
                var _ = election.awaitChange(role, LOOK);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            ZoneSync following = sync;
            if (following != null) {
                following.close();
            }
        }
    }

    /** May be called without a start, by a control plane that comes to nothing. */
    @Override
    public void close() {
        closing.countDown();
        if (thread.getState() == Thread.State.NEW) {
            return;
        }
        thread.interrupt();
        try {
            var _ = thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
