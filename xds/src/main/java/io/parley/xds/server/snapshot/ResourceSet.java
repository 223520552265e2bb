package io.parley.xds.server.snapshot;

import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The resources of one type, by name; immutable, to be shared by every node that is served the same.
 *
 * <p>A stream remembers what its client has as one reference to the set that it was last brought up to, not as a version per name. What
 * changed between two sets is then asked by every stream, so the last answer is kept: 10,000 streams compute one difference.
 */
public final class ResourceSet {
    public static final ResourceSet EMPTY = new ResourceSet(Map.of(), 0);

    /** The earlier set is held weakly, or each set would keep all that came before it. */
    private record Remembered<T>(WeakReference<ResourceSet> earlier, T value) {}

    private final Map<String, EncodedResource> byName;
    private final long digest;
    private final String version;
    private final int withheld;
    private volatile @Nullable Remembered<Changes> changes;
    private volatile @Nullable Remembered<ResourceSet> union;
    private volatile @Nullable Remembered<Object> derived;

    private ResourceSet(Map<String, EncodedResource> byName, long digest) {
        this(byName, digest, 0);
    }

    private ResourceSet(Map<String, EncodedResource> byName, long digest, int withheld) {
        this.byName = byName;
        this.digest = digest;
        this.withheld = withheld;
        version = ContentHash.print(digest);
    }

    public static ResourceSet of(EncodedResource... resources) {
        return of(List.of(resources));
    }

    public static ResourceSet of(Collection<EncodedResource> resources) {
        Map<String, EncodedResource> byName = LinkedHashMap.newLinkedHashMap(resources.size());
        for (EncodedResource resource : resources) {
            if (byName.putIfAbsent(resource.name(), resource) != null) {
                throw new IllegalArgumentException("resource given twice: " + resource.name());
            }
        }
        return wrap(byName);
    }

    /** This set with a resource added, or put in the place of the one of that name. */
    public ResourceSet with(EncodedResource resource) {
        Map<String, EncodedResource> copy = new LinkedHashMap<>(byName);
        copy.put(resource.name(), resource);
        return wrap(copy);
    }

    public ResourceSet without(String name) {
        if (!byName.containsKey(name)) {
            return this;
        }
        Map<String, EncodedResource> copy = new LinkedHashMap<>(byName);
        copy.remove(name);
        return wrap(copy);
    }

    /**
     * The same for readers that would not understand what is in it. They are told nothing rather than that there is nothing, which they
     * would take for a reason to delete what they have. An empty set is what it is.
     */
    public ResourceSet withheld() {
        return byName.isEmpty() ? this : new ResourceSet(byName, ~digest, byName.size());
    }

    /** How many resources readers are not told of. */
    public int withheldCount() {
        return withheld;
    }

    /** Of this set, what the reader already has in the very version given. */
    public ResourceSet matching(Map<String, String> versions) {
        Map<String, EncodedResource> known = new LinkedHashMap<>();
        versions.forEach((name, held) -> {
            EncodedResource resource = byName.get(name);
            if (resource != null && resource.version().equals(held)) {
                known.put(name, resource);
            }
        });
        return wrap(known);
    }

    /** This set with many changes made at once. Whoever had this one is told of just these, without a comparison. */
    public ResourceSet with(Collection<EncodedResource> resources, Collection<String> removed) {
        Map<String, EncodedResource> copy = new LinkedHashMap<>(byName);
        Set<String> updated = new LinkedHashSet<>();
        Set<String> gone = new LinkedHashSet<>();
        long sum = digest;
        for (String name : removed) {
            EncodedResource before = copy.remove(name);
            if (before != null) {
                gone.add(name);
                sum -= before.digest();
            }
        }
        for (EncodedResource resource : resources) {
            EncodedResource before = copy.put(resource.name(), resource);
            gone.remove(resource.name());
            EncodedResource known = byName.get(resource.name());
            if (known == null || known.digest() != resource.digest()) {
                updated.add(resource.name());
            } else {
                updated.remove(resource.name());
            }
            sum += resource.digest() - (before == null ? 0 : before.digest());
        }
        ResourceSet made = new ResourceSet(Collections.unmodifiableMap(copy), sum);
        made.changes = new Remembered<>(
                new WeakReference<>(this),
                new Changes(Collections.unmodifiableSet(updated), Collections.unmodifiableSet(gone)));
        return made;
    }

    public Optional<EncodedResource> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    public Set<String> names() {
        return byName.keySet();
    }

    public Collection<EncodedResource> resources() {
        return byName.values();
    }

    public int size() {
        return byName.size();
    }

    /** A hash of all content: equal sets have equal versions, in every process. */
    public String version() {
        return version;
    }

    public boolean sameAs(ResourceSet other) {
        return this == other || (digest == other.digest && byName.size() == other.byName.size());
    }

    public Changes changesSince(ResourceSet earlier) {
        if (sameAs(earlier)) {
            return Changes.NONE;
        }
        if (earlier.byName.isEmpty()) {
            return new Changes(byName.keySet(), Set.of());
        }
        Remembered<Changes> last = changes;
        if (last != null && last.earlier().refersTo(earlier)) {
            return last.value();
        }
        Changes found = compare(earlier);
        changes = new Remembered<>(new WeakReference<>(earlier), found);
        return found;
    }

    /** This set and, besides, what the earlier one had and this one has not: the state between making and breaking. */
    public ResourceSet keepingRemovedOf(ResourceSet earlier) {
        if (byName.keySet().containsAll(earlier.byName.keySet())) {
            return this;
        }
        Remembered<ResourceSet> last = union;
        if (last != null && last.earlier().refersTo(earlier)) {
            return last.value();
        }
        Map<String, EncodedResource> both = new LinkedHashMap<>(earlier.byName);
        both.putAll(byName);
        ResourceSet made = wrap(both);
        union = new Remembered<>(new WeakReference<>(earlier), made);
        return made;
    }

    /** What was last worked out from the earlier set and this one, if it is of this class. */
    public <T> @Nullable T derivedFrom(ResourceSet earlier, Class<T> type) {
        Remembered<Object> last = derived;
        return last != null && last.earlier().refersTo(earlier) && type.isInstance(last.value())
                ? type.cast(last.value())
                : null;
    }

    /** Keeps what was worked out from the earlier set and this one, in the place of the last; streams mostly need the same. */
    public void keepDerived(ResourceSet earlier, Object value) {
        derived = new Remembered<>(new WeakReference<>(earlier), value);
    }

    private Changes compare(ResourceSet earlier) {
        Set<String> updated = new LinkedHashSet<>();
        for (EncodedResource resource : byName.values()) {
            EncodedResource before = earlier.byName.get(resource.name());
            if (before == null || before.digest() != resource.digest()) {
                updated.add(resource.name());
            }
        }
        Set<String> removed = new LinkedHashSet<>();
        for (String name : earlier.byName.keySet()) {
            if (!byName.containsKey(name)) {
                removed.add(name);
            }
        }
        return new Changes(Collections.unmodifiableSet(updated), Collections.unmodifiableSet(removed));
    }

    private static ResourceSet wrap(Map<String, EncodedResource> byName) {
        // A sum does not depend on the order; each term covers the name, the type and the content.
        long digest =
                byName.values().stream().mapToLong(EncodedResource::digest).sum();
        return new ResourceSet(Collections.unmodifiableMap(byName), digest);
    }

    @Override
    public String toString() {
        return byName.size() + " resources@" + version;
    }
}
