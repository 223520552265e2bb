package io.parley.xds.server.session;

import io.parley.xds.server.session.SubscriptionState.Holding;
import io.parley.xds.server.session.SubscriptionState.Rejected;
import io.parley.xds.server.session.SubscriptionState.ResourceState;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where what a client has differs from what it was sent: for what is on its way, and for each resource of an answer that it rejected, until
 * it accepts an answer that carries that resource. A client that accepted all costs two empty references.
 */
final class Confirmation {
    private final Subscription subscription;

    /** The state before the first answer that is on its way, or of which pieces are still to go; null if there is none. */
    private @Nullable ResourceSet before;

    /** Whether pieces of the last answer are still to go. */
    private boolean inPieces;

    /** Names in answers that are on their way. */
    private Collection<String> underway = List.of();

    /** What the client has of names for which no set tells it. */
    private Map<String, Apart> apart = Map.of();

    private long acceptedAt = Long.MIN_VALUE;

    /**
     * @param version that the client has; empty if none
     * @param rejectedVersion that it rejected
     * @param rejection null for a name that it asked for, of which it was told nothing yet
     */
    private record Apart(
            String version,
            String rejectedVersion,
            @Nullable Rejection rejection,
            long at) {
        static final Apart NOTHING = new Apart("", "", null, 0);
    }

    Confirmation(Subscription subscription) {
        this.subscription = subscription;
    }

    /** The client wants these from now on. It has nothing yet of new ones, also where the state says that it was brought up to them. */
    void wants(Interest next) {
        if (!apart.isEmpty()) {
            apart.keySet().removeIf(name -> !next.covers(name));
        }
        Interest earlier = subscription.interest();
        if (subscription.sent().size() == 0 || earlier.all()) {
            return;
        }
        for (String name : next.names()) {
            if (!earlier.covers(name) && subscription.sent().find(name).isPresent()) {
                apart(name, Apart.NOTHING);
            }
        }
    }

    private void apart(String name, Apart state) {
        if (apart.isEmpty()) {
            apart = new HashMap<>();
        }
        apart.put(name, state);
    }

    /** An answer leaves that brings the client on from this state; another may still be on its way, after long silence. */
    void leaves(ResourceSet state, List<String> names, boolean piecesLeft) {
        if (before == null) {
            before = state;
        }
        if (underway.isEmpty()) {
            underway = names;
        } else {
            // Of what has gone since there is nothing to confirm: a client that never answers costs no more than a
            // state.
            Set<String> all = new LinkedHashSet<>(underway);
            all.removeIf(name ->
                    had(name, true).isEmpty() && subscription.sent().find(name).isEmpty());
            all.addAll(names);
            underway = all;
        }
        inPieces = piecesLeft;
    }

    void accepted(boolean wholeState, long now) {
        acceptedAt = now;
        if (wholeState) {
            apart = Map.of();
        } else if (!apart.isEmpty()) {
            underway.forEach(apart::remove);
        }
        landed();
    }

    /** What the client has already is not what it rejects, unless there was nothing else; and of a removal there is nothing to reject. */
    void rejected(Rejection rejection, long now) {
        List<String> news = underway.stream().filter(this::isNews).toList();
        Map<String, Apart> rejected = new HashMap<>();
        for (String name : news.isEmpty() ? underway : news) {
            EncodedResource refused = subscription.sent().find(name).orElse(null);
            if (refused != null && subscription.interest().covers(name)) {
                String version = subscription.versionOf(refused, rejection.version());
                rejected.put(name, new Apart(version(name, true), version, rejection, now));
            }
        }
        rejected.forEach(this::apart);
        landed();
    }

    private boolean isNews(String name) {
        ResourceSet state = Objects.requireNonNullElse(before, ResourceSet.EMPTY);
        return apart.containsKey(name)
                || !subscription
                        .sent()
                        .find(name)
                        .map(EncodedResource::version)
                        .equals(state.find(name).map(EncodedResource::version));
    }

    /** What kept the client's state alive is accepted, which says nothing about what it rejected. */
    void landed() {
        underway = List.of();
        before = inPieces ? before : null;
    }

    /** The last rejection of which something stands. */
    @Nullable
    Rejection standing() {
        if (apart.isEmpty()) {
            return null;
        }
        return apart.values().stream()
                .filter(state -> state.rejection() != null)
                .max(Comparator.comparingLong(Apart::at))
                .map(Apart::rejection)
                .orElse(null);
    }

    @Nullable
    Duration sinceAccepted(long now) {
        return acceptedAt == Long.MIN_VALUE ? null : Duration.ofNanos(now - acceptedAt);
    }

    /** The version that the client has of a resource; empty if none. */
    private String version(String name, boolean pending) {
        Apart state = apart.get(name);
        if (state != null) {
            return state.version();
        }
        return had(name, pending)
                .map(resource -> subscription.versionOf(resource, subscription.accepted()))
                .orElse("");
    }

    private Optional<EncodedResource> had(String name, boolean pending) {
        ResourceSet state = before;
        return (pending && state != null ? state : subscription.sent()).find(name);
    }

    List<ResourceState> describe(long now) {
        Interest interest = subscription.interest();
        ResourceSet sent = subscription.sent();
        Set<String> names = new LinkedHashSet<>(interest.names());
        names.addAll(interest.within(sent));
        names.addAll(interest.within(Objects.requireNonNullElse(before, sent)));
        names.addAll(apart.keySet());
        Set<String> pending = new HashSet<>(underway);
        pending.addAll(subscription.fresh());
        List<ResourceState> states = new ArrayList<>(names.size());
        for (String name : names) {
            states.add(describe(name, pending.contains(name), now));
        }
        return states;
    }

    private ResourceState describe(String name, boolean pending, long now) {
        Apart state = apart.get(name);
        String version = version(name, pending);
        if (state != null && state.rejection() != null) {
            Duration since = Duration.ofNanos(now - state.at());
            Rejected rejected =
                    new Rejected(state.rejectedVersion(), state.rejection().message(), since);
            return new ResourceState(name, Holding.REJECTED, version, rejected);
        }
        return new ResourceState(name, holding(name, state, pending), version, null);
    }

    private Holding holding(String name, @Nullable Apart state, boolean pending) {
        EncodedResource sent = subscription.sent().find(name).orElse(null);
        EncodedResource had = state == null ? had(name, pending).orElse(null) : null;
        boolean owed = subscription.fresh().contains(name);
        if (had == null) {
            return sent != null || owed ? Holding.REQUESTED : Holding.MISSING;
        }
        boolean same = sent != null && sent.version().equals(had.version());
        return same && !owed ? Holding.ACCEPTED : Holding.BEHIND;
    }
}
