package io.parley.sync.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.resource.Document;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.StoreException;
import io.parley.store.Stored;
import io.parley.sync.GlobalSettings;
import io.parley.sync.codec.SyncKinds;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down what is known of zones, beside what other global control planes of the same store write. For one thread. */
public final class StatusWriter {
    private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);
    private static final int MOST_TRIES = 10;
    private static final Duration NEVER = Duration.ofDays(1);

    private final ResourceStore store;
    private final GlobalSettings settings;
    private final InstantSource clock;
    private final LongSupplier ticker;
    private final Supplier<String> address;
    private final Map<String, Long> writtenAt = new HashMap<>();
    private final Map<String, Seen> seen = new HashMap<>();
    private long checkedAt;
    private boolean checked;

    /** When an open subscription was first seen at a generation. */
    private record Seen(int generation, long at) {}

    /**
     * @param address where other global control planes reach this one; empty if they do not
     */
    public StatusWriter(
            ResourceStore store,
            GlobalSettings settings,
            InstantSource clock,
            LongSupplier ticker,
            Supplier<String> address) {
        this.store = store;
        this.settings = settings;
        this.clock = clock;
        this.ticker = ticker;
        this.address = address;
        this.checkedAt = ticker.getAsLong();
    }

    public synchronized void write(ZoneStatus status) {
        long now = ticker.getAsLong();
        status.due(
                        sinceLast(status, now),
                        settings.statusInterval(),
                        settings.idleTimeout().dividedBy(2))
                .ifPresent(report -> {
                    writtenAt.put(report.zone(), now);
                    try {
                        update(report.zone(), before -> ZoneInsights.merge(before, report, self()));
                    } catch (StoreException e) {
                        LOG.warn("the status of zone {} is written later: {}", report.zone(), e.getMessage());
                        status.notWritten();
                    }
                });
    }

    private ZoneInsights.Self self() {
        return new ZoneInsights.Self(settings.release(), address.get());
    }

    private Duration sinceLast(ZoneStatus status, long now) {
        Long at = writtenAt.get(status.zone());
        return at == null ? NEVER : Duration.ofNanos(now - at);
    }

    /**
     * Closes subscriptions that nobody has kept alive: their global control plane died without a word (case 47). If that was this one, in an
     * earlier life, they are closed at the first look.
     *
     * @param known what this control plane knows of zones, by their names; those that are connected to another are told so
     */
    public synchronized void closeForgotten(Function<String, Optional<ZoneStatus>> known) {
        long now = ticker.getAsLong();
        if (checked && now - checkedAt < settings.idleTimeout().toNanos() / 4) {
            return;
        }
        try {
            for (Stored stored : store.list(Query.of(SyncKinds.ZONE_INSIGHT).withLimit(Query.MAX_LIMIT))
                    .items()) {
                Optional<ZoneStatus> status = known.apply(stored.key().name());
                if (ZoneInsights.isOnline(stored.resource().spec())) {
                    status.ifPresent(ZoneStatus::foundElsewhere);
                }
                List<String> forgotten = forgotten(stored.resource().spec(), status, now);
                if (!forgotten.isEmpty()) {
                    String zone = stored.key().name();
                    update(zone, before -> ZoneInsights.close(before, forgotten, clock.instant()));
                    LOG.warn("zone {} is offline: its connection has nobody who keeps it any more", zone);
                }
            }
            checked = true;
            checkedAt = now;
        } catch (StoreException e) {
            LOG.warn("connections of zones are looked at later: {}", e.getMessage());
        }
    }

    private List<String> forgotten(Document insight, Optional<ZoneStatus> status, long now) {
        List<String> found = new ArrayList<>();
        for (JsonNode subscription : insight.tree().path("subscriptions")) {
            String id = subscription.path("id").asText();
            int generation = subscription.path("generation").asInt();
            if (!ZoneInsights.isOpen(subscription)) {
                seen.remove(id);
                continue;
            }
            if (isFromBefore(subscription, status)) {
                found.add(id);
                continue;
            }
            Seen before = seen.get(id);
            if (before == null || before.generation() != generation) {
                seen.put(id, new Seen(generation, now));
            } else if (now - before.at() >= settings.idleTimeout().toNanos()) {
                found.add(id);
            }
        }
        return found;
    }

    /** Whether it is one of this very instance, and this instance does not know it: it died and is back. */
    private boolean isFromBefore(JsonNode subscription, Optional<ZoneStatus> status) {
        String id = subscription.path("id").asText();
        return subscription.path("globalInstanceId").asText().equals(settings.instance())
                && status.filter(known -> known.knows(id)).isEmpty();
    }

    private void update(String zone, UnaryOperator<Document> change) {
        ResourceKey key = new ResourceKey(SyncKinds.ZONE_INSIGHT, "", zone);
        ResourceKey owner = new ResourceKey(SyncKinds.ZONE, "", zone);
        for (int tries = 1; ; tries++) {
            Optional<Stored> before = store.find(key);
            Document spec =
                    change.apply(before.map(stored -> stored.resource().spec()).orElse(Document.EMPTY));
            Expected expected = before.<Expected>map(stored -> Expected.exactly(stored.revision()))
                    .orElse(Expected.absent());
            try {
                store.put(new Change.Put(Resource.of(key, spec), expected, owner));
                return;
            } catch (StoreException e) {
                if (e.failure() instanceof Failure.OwnerMissing) {
                    return; // the Zone was deleted: there is nothing to know of it
                }
                if (!(e.failure() instanceof Failure.Conflict) || tries >= MOST_TRIES) {
                    throw e;
                }
            }
        }
    }
}
