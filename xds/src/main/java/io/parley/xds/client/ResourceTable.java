package io.parley.xds.client;

import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import io.parley.xds.bootstrap.ServerFeature;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.Trouble.Kind;
import io.parley.xds.client.WatchEvent.AmbientError;
import io.parley.xds.client.resource.Decoded;
import io.parley.xds.client.resource.ResourceDecoder;
import io.parley.xds.client.resource.ResourceName;
import io.parley.xds.client.resource.ResourceParser;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** All resources of one type that somebody watches or, if somebody watches all, that there are. */
final class ResourceTable<T> {
    /** gRPC's codes for trouble with the data; all others are the server's own and will pass (xDS TP3). */
    private static final int NOT_FOUND = 5;

    private static final int PERMISSION_DENIED = 7;

    private final ResourceType type;
    private final ResourceDecoder<T> decoder;
    private final Lifetimes lifetimes;
    private final Map<String, Entry<T>> entries = new LinkedHashMap<>();
    private final Set<Subscriber<T>> everyone = new LinkedHashSet<>();
    private boolean heard;

    /** Sees to it that resources whose server is silent are forgotten in time. */
    interface Lifetimes {
        void keep(ResourceType type, Entry<?> entry, Optional<Duration> time);
    }

    ResourceTable(ResourceParser<T> parser, Lifetimes lifetimes) {
        this.type = parser.type();
        this.lifetimes = lifetimes;
        this.decoder = new ResourceDecoder<>(parser);
    }

    Collection<Entry<T>> entries() {
        return entries.values();
    }

    boolean isWatchedWhole() {
        return !everyone.isEmpty();
    }

    /** Whether all are watched and none has ever come. */
    boolean isMissingAll() {
        return isWatchedWhole() && !heard;
    }

    Entry<T> entry(ResourceName name) {
        return entries.computeIfAbsent(name.text(), text -> new Entry<>(name, everyone));
    }

    void addToAll(Subscriber<T> subscriber, Deliveries deliveries) {
        entries.values().forEach(entry -> entry.tell(subscriber, deliveries));
        everyone.add(subscriber);
    }

    void removeFromAll(Subscriber<T> subscriber) {
        everyone.remove(subscriber);
    }

    /**
     * The names that are watched among these entries. What nobody watches any more is forgotten only here, when the server is
     * about to be told: who comes back before that finds it still there, and needs no answer that the server would not send.
     */
    SortedSet<String> watched(Predicate<Entry<?>> among) {
        entries.values().removeIf(this::forget);
        SortedSet<String> names = new TreeSet<>();
        for (Entry<T> entry : entries.values()) {
            if (entry.isWatched() && among.test(entry)) {
                names.add(entry.name().text());
            }
        }
        return names;
    }

    private boolean forget(Entry<T> entry) {
        if (entry.isWatched() || isCoveredByAll(entry)) {
            return false;
        }
        entry.close();
        return true;
    }

    private boolean isCoveredByAll(Entry<T> entry) {
        return isWatchedWhole() && entry.name().authority().isEmpty() && entry.isPresent();
    }

    /** Takes in an answer; entries of other servers are left alone. */
    Verdict apply(Answer answer, XdsServer server, Predicate<Entry<?>> mine, Deliveries deliveries) {
        heard = true;
        Decoded<T> decoded = answer.decode(decoder);
        Map<String, String> accepted = new HashMap<>();
        decoded.valid()
                .forEach((name, found) -> received(name, mine).ifPresent(entry -> {
                    entry.present(found, deliveries);
                    lifetimes.keep(type, entry, found.timeToLive());
                    accepted.put(name, found.version());
                }));
        decoded.invalid()
                .forEach((name, problem) -> received(name, mine).ifPresent(entry -> {
                    Trouble trouble = new Trouble(Kind.INVALID, name + " of " + server.uri() + ": " + problem);
                    dispute(entry, trouble, server, deliveries);
                }));
        decoded.heartbeats()
                .forEach((name, time) -> find(name, mine).ifPresent(entry -> {
                    entry.answered();
                    lifetimes.keep(type, entry, time);
                }));
        answer.errors().forEach(error -> apply(error, server, mine, deliveries));
        for (String name : answer.removed()) {
            find(ResourceName.canonical(name), mine).ifPresent(entry -> delete(entry, server, deliveries));
        }
        if (answer.isComplete() && decoded.nameless().isEmpty()) {
            deleteUnmentioned(decoded, server, mine, deliveries);
        }
        everyone.forEach(deliveries::settle);
        return new Verdict(accepted, dropped(answer, decoded, mine), decoded.problems());
    }

    private Set<String> dropped(Answer answer, Decoded<T> decoded, Predicate<Entry<?>> mine) {
        Set<String> dropped = new HashSet<>(decoded.invalid().keySet());
        answer.errors().forEach(error -> dropped.add(nameIn(error)));
        dropped.removeIf(name -> find(name, mine).filter(Entry::isPresent).isPresent());
        answer.removed().forEach(name -> dropped.add(ResourceName.canonical(name)));
        return dropped;
    }

    private static String nameIn(ResourceError error) {
        return ResourceName.canonical(error.getResourceName().getName());
    }

    /** A resource that was asked for only a moment ago may be in the next answer: its timer decides, not this answer. */
    private void deleteUnmentioned(
            Decoded<T> decoded, XdsServer server, Predicate<Entry<?>> mine, Deliveries deliveries) {
        for (Entry<T> entry : List.copyOf(entries.values())) {
            if (mine.test(entry)
                    && entry.isPresent()
                    && !decoded.mentions(entry.name().text())) {
                delete(entry, server, deliveries);
            }
        }
    }

    private void apply(ResourceError error, XdsServer server, Predicate<Entry<?>> mine, Deliveries deliveries) {
        String name = nameIn(error);
        Optional<Entry<T>> entry = find(name, mine);
        if (entry.isEmpty()) {
            return;
        }
        String message =
                name + " of " + server.uri() + ": " + error.getErrorDetail().getMessage();
        switch (error.getErrorDetail().getCode()) {
            case NOT_FOUND -> delete(entry.get(), server, deliveries);
            case PERMISSION_DENIED ->
                dispute(entry.get(), new Trouble(Kind.PERMISSION_DENIED, message), server, deliveries);
            default -> entry.get().disputed(new Trouble(Kind.UNREACHABLE, message), deliveries);
        }
    }

    /** gRPC A88: the last good state stays, unless the bootstrap says otherwise. */
    private void dispute(Entry<T> entry, Trouble trouble, XdsServer server, Deliveries deliveries) {
        if (server.has(ServerFeature.FAIL_ON_DATA_ERRORS)) {
            entry.absent(trouble, deliveries);
        } else {
            entry.disputed(trouble, deliveries);
        }
    }

    private void delete(Entry<T> entry, XdsServer server, Deliveries deliveries) {
        String name = entry.name().text();
        boolean kept = server.has(ServerFeature.IGNORE_RESOURCE_DELETION)
                && (type == ResourceType.LISTENER || type == ResourceType.CLUSTER);
        if (kept && entry.isPresent()) {
            String message = name + ": " + server.uri() + " has it no longer; kept for its ignore_resource_deletion";
            entry.disputed(new Trouble(Kind.NOT_FOUND, message), deliveries);
            return;
        }
        remove(entry, name + ": " + server.uri() + " has no such resource", deliveries);
    }

    /** It is not there any more, and forgotten unless somebody asked for it by name. */
    void remove(Entry<?> entry, String because, Deliveries deliveries) {
        entry.absent(new Trouble(Kind.NOT_FOUND, because), deliveries);
        if (!entry.isWatched()) {
            entries.remove(entry.name().text());
        }
    }

    /** Tells everyone about trouble with a server that is none of a single resource. */
    void outage(Trouble trouble, Predicate<Entry<?>> mine, boolean whole, Deliveries deliveries) {
        for (Entry<T> entry : new ArrayList<>(entries.values())) {
            if (mine.test(entry) && entry.isWatched()) {
                entry.outage(trouble, deliveries);
            }
        }
        if (whole) {
            everyone.forEach(one -> deliveries.deliver(one, new AmbientError<>(Names.WILDCARD, trouble)));
        }
    }

    private Optional<Entry<T>> find(String name, Predicate<Entry<?>> mine) {
        return Optional.ofNullable(entries.get(name)).filter(mine);
    }

    /** The entry for a resource that came, well or ill: what nobody asked for is ignored. */
    private Optional<Entry<T>> received(String name, Predicate<Entry<?>> mine) {
        if (isWatchedWhole() && !entries.containsKey(name)) {
            Entry<T> entry = new Entry<>(new ResourceName("", name), everyone);
            if (mine.test(entry)) {
                entries.put(name, entry);
            }
        }
        return find(name, mine);
    }
}
