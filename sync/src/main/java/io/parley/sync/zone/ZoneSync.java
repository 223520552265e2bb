package io.parley.sync.zone;

import io.micrometer.core.instrument.MeterRegistry;
import io.parley.agreement.sync.PriorityClass;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import io.parley.store.ResourceStore;
import io.parley.sync.ZoneSettings;
import io.parley.sync.admin.Answer;
import io.parley.sync.codec.SyncKinds;
import io.parley.sync.copy.FromGlobal;
import io.parley.sync.copy.KindCopies;
import io.parley.sync.status.SyncMetrics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The zone's end: keeps the store in step with the global control plane for as long as it is open. Connections that fail are tried again;
 * the zone works alone meanwhile, and what changed on either side is exchanged when it is back.
 *
 * <p>There is a connection for each class of kinds, so that not even a window of HTTP/2 is shared: a flood of informational changes cannot
 * hold up an operational one.
 */
public final class ZoneSync implements AutoCloseable {
    private final Followers followers;
    private final ExecutorService executor = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("zone-sync-", 0).factory());
    private final Map<PriorityClass, ZoneSession> sessions = new HashMap<>();

    private ZoneSync(
            ResourceStore store,
            Channels channels,
            ZoneSettings settings,
            Answer.Source answers,
            MeterRegistry meters) {
        SyncMetrics metrics = new SyncMetrics(meters, Kinds.all());
        followers = new Followers(store, settings.pace(), metrics);
        Map<String, KindCopies> copies = new HashMap<>();
        for (Kind kind : SyncKinds.toZones()) {
            copies.put(kind.name(), new KindCopies(kind, store, new FromGlobal()));
        }
        Shared shared = new Shared(
                channels,
                Introduction.of(settings),
                followers,
                Map.copyOf(copies),
                answers,
                metrics,
                executor,
                RandomGenerator.getDefault());
        for (PriorityClass each : PriorityClass.values()) {
            sessions.put(each, new ZoneSession(each, shared));
        }
    }

    /** What the zone's connections share. */
    record Shared(
            Channels channels,
            Introduction self,
            Followers followers,
            Map<String, KindCopies> copies,
            Answer.Source answers,
            SyncMetrics metrics,
            ExecutorService executor,
            RandomGenerator random) {
        KindCopies copies(Kind kind) {
            KindCopies found = copies.get(kind.name());
            if (found == null) {
                throw new IllegalStateException("kind is not exchanged: " + kind);
            }
            return found;
        }
    }

    /** Begins to keep in step; returns at once, whether global can be reached or not. */
    public static ZoneSync start(ResourceStore store, Channels channels, ZoneSettings settings, MeterRegistry meters) {
        return start(store, channels, settings, Answer.Source.NOBODY, meters);
    }

    /** The same, and answers what global asks about the zone's proxies. */
    public static ZoneSync start(
            ResourceStore store,
            Channels channels,
            ZoneSettings settings,
            Answer.Source answers,
            MeterRegistry meters) {
        ZoneSync sync = new ZoneSync(store, channels, settings, answers, meters);
        sync.sessions.values().forEach(ZoneSession::start);
        return sync;
    }

    /** How it stands with global. */
    public List<LinkState> states() {
        return sessions.values().stream().map(ZoneSession::state).toList();
    }

    @Override
    public void close() {
        sessions.values().forEach(ZoneSession::close);
        followers.close();
        executor.shutdown();
        try {
            var _ = executor.awaitTermination(Duration.ofSeconds(5).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
