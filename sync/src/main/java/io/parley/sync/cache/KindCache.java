package io.parley.sync.cache;

import io.parley.resource.ResourceKey;
import io.parley.resource.kind.Kind;
import io.parley.store.Event;
import io.parley.store.Stored;
import io.parley.sync.codec.Outgoing;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The resources of one kind as they are sent, and the changes that are not yet among them. For one thread. */
final class KindCache {
    private static final Logger LOG = LoggerFactory.getLogger(KindCache.class);

    private final Kind kind;
    private final Map<ResourceKey, String> names = new HashMap<>();
    private Map<ResourceKey, Event> pending = new LinkedHashMap<>();
    private ResourceSet current = ResourceSet.EMPTY;

    KindCache(Kind kind) {
        this.kind = kind;
    }

    /** Starts anew from a list; what is equal to before counts as unchanged. */
    void replace(Iterable<Stored> all, Outgoing outgoing) {
        names.clear();
        pending.clear();
        Map<String, EncodedResource> encoded = new LinkedHashMap<>();
        for (Stored stored : all) {
            outgoing.encode(kind, stored.resource()).ifPresent(resource -> {
                // Names that hash alike: the first stays, as it would in a receiver that looks whose a name is (case
                // 27).
                if (encoded.putIfAbsent(resource.name(), resource) == null) {
                    names.put(stored.key(), resource.name());
                } else {
                    LOG.warn("{} is not sent: another {} is called {} there", stored.key(), kind, resource.name());
                }
            });
        }
        current = ResourceSet.of(encoded.values());
    }

    /** Notes a change. A later one of the same resource takes its place, and only the last one is mapped and hashed. */
    void note(Event event) {
        pending.put(event.key(), event);
    }

    private Optional<EncodedResource> encode(Event event, Outgoing outgoing) {
        return switch (event) {
            case Event.Written(Stored stored) -> outgoing.encode(kind, stored.resource());
            case Event.Deleted _ -> Optional.empty();
        };
    }

    boolean hasPending() {
        return !pending.isEmpty();
    }

    /** All that was noted becomes part of what is sent. */
    ResourceSet take(Outgoing outgoing) {
        List<EncodedResource> updated = new ArrayList<>();
        List<String> removed = new ArrayList<>();
        Map<ResourceKey, Event> taken = pending;
        pending = new LinkedHashMap<>();
        taken.forEach((key, event) -> {
            Optional<EncodedResource> resource = encode(event, outgoing);
            String before = names.remove(key);
            if (before != null && !resource.map(EncodedResource::name).equals(Optional.of(before))) {
                removed.add(before);
            }
            resource.ifPresent(encoded -> {
                names.put(key, encoded.name());
                updated.add(encoded);
            });
        });
        current = current.with(updated, removed);
        return current;
    }

    ResourceSet current() {
        return current;
    }
}
