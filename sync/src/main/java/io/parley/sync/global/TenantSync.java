package io.parley.sync.global;

import io.grpc.Status;
import io.parley.agreement.sync.PriorityClass;
import io.parley.resource.Document;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.kind.Kind;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.ResourceStore;
import io.parley.store.StoreException;
import io.parley.sync.GlobalSettings;
import io.parley.sync.admin.AskingEnd;
import io.parley.sync.admin.Question;
import io.parley.sync.cache.StoreFollower;
import io.parley.sync.codec.Encoding;
import io.parley.sync.codec.SyncKinds;
import io.parley.sync.codec.ToZones;
import io.parley.sync.status.StatusWriter;
import io.parley.sync.status.SyncMetrics;
import io.parley.sync.status.ZoneStatus;
import io.parley.xds.server.snapshot.LiveSnapshot;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that concerns one tenant: its store, what its zones are sent, and its zones. */
final class TenantSync implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TenantSync.class);

    private final ResourceStore store;
    private final GlobalSettings settings;
    private final SyncMetrics metrics;
    private final InstantSource clock;
    private final LongSupplier ticker;
    private final String name;
    private final Map<Optional<PriorityClass>, Part> parts = new ConcurrentHashMap<>();
    private final StatusWriter writer;
    private final Map<String, ZoneState> zones = new ConcurrentHashMap<>();

    TenantSync(
            String name,
            ResourceStore store,
            GlobalSettings settings,
            SyncMetrics metrics,
            InstantSource clock,
            LongSupplier ticker,
            Supplier<String> address) {
        this.name = name;
        this.store = store;
        this.settings = settings;
        this.metrics = metrics;
        this.clock = clock;
        this.ticker = ticker;
        this.writer = new StatusWriter(store, settings, clock, ticker, address);
        metrics.connected(name, this::connected);
    }

    /** Follows the store for the streams of one class of kinds, or for those that carry all. */
    private record Part(DisabledZones disabled, StoreFollower follower) {}

    /**
     * What zones of an encoding are sent; all of them share it. Each class has a follower of its own, so that a change of an urgent kind
     * is not worked on after a flood of others that were there before it.
     */
    LiveSnapshot snapshot(Optional<PriorityClass> only, Encoding encoding) {
        Part part = parts.computeIfAbsent(only, this::open);
        return part.follower()
                .follow(encoding, new ToZones(encoding, zone -> !part.disabled().contains(zone)));
    }

    private Part open(Optional<PriorityClass> only) {
        List<Kind> kinds = SyncKinds.of(SyncKinds.toZones(), only);
        DisabledZones disabled = new DisabledZones();
        StoreFollower follower = new StoreFollower(store, kinds, settings.pace(), ticker, disabled);
        metrics.follow(name, only, follower, kinds);
        follower.start();
        return new Part(disabled, follower);
    }

    /** The zone of this name, which exists from its first connection on. */
    ZoneState zone(String name) {
        ResourceKey key = new ResourceKey(SyncKinds.ZONE, "", name);
        if (store.find(key).isEmpty()) {
            create(key);
        }
        return zones.computeIfAbsent(name, this::known);
    }

    private ZoneState known(String zone) {
        ZoneStatus status = new ZoneStatus(zone, settings.instance(), clock, ticker);
        metrics.zone(name, status);
        return new ZoneState(zone, store, status, metrics::attributionRewritten);
    }

    /** Whether one more may connect: a tenant takes no more of what all share than its part. */
    boolean hasRoomFor(String zone) {
        ZoneState known = zones.get(zone);
        return (known != null && known.isConnected()) || connected() < settings.mostZones();
    }

    private long connected() {
        return zones.values().stream().filter(ZoneState::isConnected).count();
    }

    /** A zone that is connected to this instance, where it can be asked. */
    Optional<AskingEnd> asking(String zone, Question.Topic topic) {
        return Optional.ofNullable(zones.get(zone))
                .flatMap(found -> found.asking(topic))
                .filter(AskingEnd::isOpen);
    }

    private void create(ResourceKey key) {
        try {
            store.put(Resource.of(key, new Document("{\"enabled\":true}")), Expected.absent());
            LOG.info("zone {} connects for the first time", key.name());
        } catch (StoreException e) {
            if (!(e.failure() instanceof Failure.Conflict)) {
                throw e;
            }
        }
    }

    /** Moves time on: writes down what changed, ends streams of zones that fell silent. Blocks. */
    void tick() {
        for (ZoneState zone : zones.values()) {
            if (zone.status().isSilentFor(settings.healthTimeout())) {
                zone.end(Status.UNAVAILABLE.withDescription("no health check for " + settings.healthTimeout()));
            }
            writer.write(zone.status());
        }
        writer.closeForgotten(zone -> Optional.ofNullable(zones.get(zone)).map(ZoneState::status));
    }

    @Override
    public void close() {
        zones.values().forEach(zone -> zone.end(Status.UNAVAILABLE.withDescription("this server is going away")));
        zones.values().forEach(zone -> writer.write(zone.status()));
        parts.values().forEach(part -> part.follower().close());
    }
}
