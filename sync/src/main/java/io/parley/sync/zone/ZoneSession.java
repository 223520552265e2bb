package io.parley.sync.zone;

import io.grpc.CallOptions;
import io.grpc.Status;
import io.parley.agreement.sync.Feature;
import io.parley.agreement.sync.PriorityClass;
import io.parley.agreement.sync.SyncVersion;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects for one class of kinds, again and again, on a thread that may block. Waits grow with failures and differ between zones. */
final class ZoneSession {
    private static final Logger LOG = LoggerFactory.getLogger(ZoneSession.class);

    /** One stream carries all kinds then, and it is the other session's; global may learn better one day. */
    private static final String ELSEWHERE = "global has no streams for classes of kinds";

    private static final int MANY = 100;

    private final PriorityClass kinds;
    private final ZoneSync.Shared shared;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicReference<@Nullable ZoneStreams> open = new AtomicReference<>();
    private final Thread thread;
    private final Complaints complaints = new Complaints(System::nanoTime);
    private volatile LinkState state;

    /** What to speak with a global control plane that knows no handshake: delta, as Kuma's have since 2.5, unless it turns out otherwise. */
    private SyncVersion assumed;

    ZoneSession(PriorityClass kinds, ZoneSync.Shared shared) {
        this.kinds = kinds;
        this.shared = shared;
        this.state = new LinkState.Connecting(kinds);
        this.assumed = shared.self().settings().versions().contains(SyncVersion.DELTA)
                ? SyncVersion.DELTA
                : SyncVersion.STATE_OF_THE_WORLD;
        this.thread = Thread.ofVirtual().name("zone-sync-" + kinds.text()).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    LinkState state() {
        return state;
    }

    private void run() {
        int failures = 0;
        try {
            while (closing.getCount() > 0) {
                state = new LinkState.Connecting(kinds);
                Attempt attempt = connect();
                String why = attempt.why();
                failures = attempt.lasted().compareTo(settingsStable()) >= 0 ? 1 : failures + 1;
                if (why.equals(ELSEWHERE)) {
                    failures = MANY;
                }
                Duration wait = shared.self().settings().backoff().after(failures, shared.random());
                if (why.equals(ELSEWHERE)) {
                    state = new LinkState.Elsewhere(kinds);
                } else if (closing.getCount() > 0) {
                    complain(why, wait);
                    state = new LinkState.Waiting(kinds, why, wait);
                }
                var _ = closing.await(wait.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            state = new LinkState.Closed(kinds);
        }
    }

    private void complain(String why, Duration wait) {
        if (complaints.isNews(why)) {
            LOG.warn(
                    "not in step with global for {} kinds: {}; next attempt in {} s",
                    kinds.text(),
                    why,
                    wait.toSeconds());
        } else {
            LOG.debug("{} kinds: {}; next attempt in {}", kinds.text(), why, wait);
        }
    }

    private Duration settingsStable() {
        return shared.self().settings().stable();
    }

    /**
     * A connection that is over.
     *
     * @param lasted from when it was good; what it took to find that it is not does not count
     */
    private record Attempt(String why, Duration lasted) {
        static Attempt failed(String why) {
            return new Attempt(why, Duration.ZERO);
        }
    }

    /** Stays connected as long as it can. */
    private Attempt connect() throws InterruptedException {
        CallOptions options = shared.channels()
                .callCredentials()
                .map(CallOptions.DEFAULT::withCallCredentials)
                .orElse(CallOptions.DEFAULT);
        try (ZoneConnection connection = new ZoneConnection(shared.channels().connect(), options, shared.self())) {
            return switch (connection.handshake(assumed)) {
                case ZoneConnection.Shaken.Failed(Status status) -> Attempt.failed(text(status));
                case ZoneConnection.Shaken.Refused(String because) -> Attempt.failed(because);
                case ZoneConnection.Shaken.Done(ZoneConnection.Agreed agreed) -> stay(connection, agreed);
            };
        } catch (IOException e) {
            return Attempt.failed("no connection: " + e.getMessage());
        } catch (RuntimeException e) {
            // The next attempt may do better; a session that ended would be missed only when something is out of step.
            LOG.error("fault in the connection for {} kinds", kinds.text(), e);
            return Attempt.failed("fault in this control plane: " + e);
        }
    }

    private Attempt stay(ZoneConnection connection, ZoneConnection.Agreed agreed) throws InterruptedException {
        boolean classes = agreed.global().has(Feature.PRIORITY_STREAMS)
                && agreed.version().equals(SyncVersion.DELTA);
        if (!classes && kinds == PriorityClass.INFORMATIONAL) {
            return Attempt.failed(ELSEWHERE);
        }
        long from;
        Status end;
        ZoneStreams streams = ZoneStreams.open(connection, agreed, classes ? kinds : null, shared);
        try {
            open.set(streams);
            if (closing.getCount() == 0) {
                streams.close();
            }
            from = System.nanoTime();
            state = new LinkState.Connected(kinds, agreed.version().toString(), Instant.now());
            complaints.forget();
            LOG.info("in step with global for {} kinds, sync version {}", kinds.text(), agreed.version());
            end = streams.awaitEnd(connection);
        } finally {
            streams.close();
            open.set(null);
        }
        if (agreed.basis() == ZoneConnection.Basis.ASSUMPTION && end.getCode() == Status.Code.UNIMPLEMENTED) {
            assumed = other(agreed.version());
        }
        return new Attempt(text(end), Duration.ofNanos(System.nanoTime() - from));
    }

    /** The other version, if we may speak it. */
    private SyncVersion other(SyncVersion version) {
        SyncVersion other = version.equals(SyncVersion.DELTA) ? SyncVersion.STATE_OF_THE_WORLD : SyncVersion.DELTA;
        return shared.self().settings().versions().contains(other) ? other : version;
    }

    private String text(Status status) {
        return new ConnectionFailure(shared.channels(), status).text();
    }

    void close() {
        closing.countDown();
        ZoneStreams streams = open.get();
        if (streams != null) {
            streams.close();
        }
        thread.interrupt();
        try {
            var _ = thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
