package io.parley.sync.cache;

import io.parley.resource.ResourceKey;
import io.parley.resource.kind.Kind;
import io.parley.store.Event;
import io.parley.store.Stored;
import io.parley.sync.codec.Outgoing;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resources of one kind as they are sent, and the changes that are not yet among them. For one thread.
 *
 * <p>Two resources may be called the same on their way (hashes of names collide, case 27). The first has the name, as it would with a
 * receiver that looks whose it is; the other is sent once the first is gone.
 */
final class KindCache {
    private static final Logger LOG = LoggerFactory.getLogger(KindCache.class);

    private final Kind kind;
    private final Map<ResourceKey, String> names = new HashMap<>();
    private final Map<String, ResourceKey> holders = new HashMap<>();
    private final Map<ResourceKey, EncodedResource> turnedAway = new LinkedHashMap<>();
    private Map<ResourceKey, Event> pending = new LinkedHashMap<>();
    private ResourceSet current = ResourceSet.EMPTY;

    KindCache(Kind kind) {
        this.kind = kind;
    }

    /** Starts anew from a list; what is equal to before counts as unchanged. */
    void replace(Iterable<Stored> all, Outgoing outgoing) {
        Map<ResourceKey, String> before = Map.copyOf(names);
        names.clear();
        holders.clear();
        turnedAway.clear();
        pending.clear();
        Map<String, EncodedResource> sent = new LinkedHashMap<>();
        for (Stored stored : all) {
            encode(stored, outgoing, before.get(stored.key())).ifPresent(resource -> add(stored.key(), resource, sent));
        }
        current = ResourceSet.of(sent.values());
    }

    /** Notes a change. A later one of the same resource takes its place, and only the last one is mapped and hashed. */
    void note(Event event) {
        pending.put(event.key(), event);
    }

    boolean hasPending() {
        return !pending.isEmpty();
    }

    /** All that was noted becomes part of what is sent. */
    ResourceSet take(Outgoing outgoing) {
        Map<String, EncodedResource> updated = new LinkedHashMap<>();
        Set<String> removed = new HashSet<>();
        Map<ResourceKey, Event> taken = pending;
        pending = new LinkedHashMap<>();
        taken.forEach((key, event) -> {
            Optional<EncodedResource> resource = encode(event, outgoing);
            String before = names.remove(key);
            turnedAway.remove(key);
            if (before != null) {
                holders.remove(before);
                updated.remove(before);
                removed.add(before);
            }
            resource.ifPresent(encoded -> add(key, encoded, updated));
        });
        if (!removed.isEmpty() && !turnedAway.isEmpty()) {
            Map<ResourceKey, EncodedResource> waiting = new LinkedHashMap<>(turnedAway);
            turnedAway.clear();
            waiting.forEach((key, resource) -> add(key, resource, updated));
        }
        removed.removeAll(updated.keySet());
        current = current.with(List.copyOf(updated.values()), removed);
        return current;
    }

    ResourceSet current() {
        return current;
    }

    private void add(ResourceKey key, EncodedResource resource, Map<String, EncodedResource> sent) {
        ResourceKey holder = holders.putIfAbsent(resource.name(), key);
        if (holder == null) {
            names.put(key, resource.name());
            sent.put(resource.name(), resource);
        } else {
            turnedAway.put(key, resource);
            LOG.warn("{} is not sent: {} is called {} there", key, holder, resource.name());
        }
    }

    private Optional<EncodedResource> encode(Event event, Outgoing outgoing) {
        return switch (event) {
            case Event.Written(Stored stored) -> encode(stored, outgoing, names.get(stored.key()));
            case Event.Deleted _ -> Optional.empty();
        };
    }

    /**
     * What is sent of a resource. One that cannot be encoded, which is a fault of ours, stays with peers as it was and takes no other down.
     *
     * @param before what it was sent as so far; null if it was not
     */
    private Optional<EncodedResource> encode(Stored stored, Outgoing outgoing, @Nullable String before) {
        try {
            return outgoing.encode(kind, stored.resource());
        } catch (RuntimeException e) {
            LOG.error("{} cannot be encoded, peers keep what they have of it", stored.key(), e);
            return before == null ? Optional.empty() : current.find(before);
        }
    }
}
