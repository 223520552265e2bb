package io.parley.sync.cache;

import io.parley.resource.KindId;
import io.parley.resource.kind.Kind;
import io.parley.store.Event;
import io.parley.store.Stored;
import io.parley.sync.codec.Outgoing;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What peers of one encoding are sent: a cache for each kind, and the cell that their streams follow. */
final class Publication {
    private final Outgoing outgoing;
    private final Map<KindId, KindCache> caches = new HashMap<>();
    private final LiveSnapshot live = new LiveSnapshot();
    private Snapshot snapshot = Snapshot.EMPTY;
    private boolean complete;

    Publication(Outgoing outgoing, List<Kind> kinds) {
        this.outgoing = outgoing;
        kinds.forEach(kind -> caches.put(kind.id(), new KindCache(kind)));
    }

    LiveSnapshot live() {
        return live;
    }

    /** Replaces a kind; nobody sees it until {@link #publish}. */
    void replace(Kind kind, Iterable<Stored> all) {
        KindCache cache = cache(kind.id());
        cache.replace(all, outgoing);
        put(kind, cache.current());
    }

    void note(Event event) {
        cache(event.key().kind()).note(event);
    }

    /** Makes what was noted of a kind part of what is sent, at once. */
    void flush(Kind kind) {
        KindCache cache = cache(kind.id());
        if (cache.hasPending()) {
            put(kind, cache.take(outgoing));
        }
    }

    /** All kinds have been read. */
    void publishAll() {
        complete = true;
        publish();
    }

    /** Shows peers what there is; nothing as long as it is not all. */
    void publish() {
        if (complete) {
            live.publish(snapshot);
        }
    }

    /** Under every name that peers ask for it by: the design document spells some kinds otherwise than the wire. */
    private void put(Kind kind, ResourceSet all) {
        ResourceSet resources = outgoing.isUnderstood(kind) ? all : all.withheld();
        snapshot = snapshot.with(kind.name(), resources);
        for (String word : kind.words()) {
            if (kind.name().equalsIgnoreCase(word)) {
                snapshot = snapshot.with(word, resources);
            }
        }
    }

    private KindCache cache(KindId kind) {
        KindCache cache = caches.get(kind);
        if (cache == null) {
            throw new IllegalStateException("kind is not followed: " + kind);
        }
        return cache;
    }
}
