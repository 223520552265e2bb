package io.parley.xds.server.session;

import io.parley.xds.server.session.SubscriptionState.Holding;
import io.parley.xds.server.session.SubscriptionState.Rejected;
import io.parley.xds.server.session.SubscriptionState.ResourceState;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import java.time.Duration;
import java.util.ArrayList;
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
    /** More answers that the client says nothing of are taken together. */
    private static final int MOST_UNANSWERED = 4;

    private final Subscription subscription;

    /** The state before the first answer that is on its way, or of which pieces are still to go; null if there is none. */
    private @Nullable ResourceSet before;

    /** Whether pieces of the last answer are still to go. */
    private boolean inPieces;

    /** Names in the answer that is on its way. */
    private List<String> underway = List.of();

    private Flight.Purpose purpose = Flight.Purpose.NEWS;

    /** Answers before that one, of which the client has said nothing for long. */
    private List<Unanswered> unanswered = List.of();

    /** What the client has of names for which no set tells it. */
    private Map<String, Apart> apart = Map.of();

    private long acceptedAt = Long.MIN_VALUE;

    private record Unanswered(Flight flight, List<String> names) {}

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

    /**
     * An answer leaves that brings the client on from this state.
     *
     * @param silent the answer before, if the client has said nothing of it for long
     */
    void leaves(
            ResourceSet state, List<String> names, Flight.Purpose why, boolean piecesLeft, @Nullable Flight silent) {
        if (before == null) {
            before = state;
        }
        if (silent != null) {
            unanswered = new ArrayList<>(unanswered);
            if (unanswered.size() == MOST_UNANSWERED) {
                unanswered.add(joined(unanswered.removeFirst(), unanswered.removeFirst()));
            }
            unanswered.add(new Unanswered(silent, newsUnderway()));
        }
        underway = names;
        purpose = why;
        inPieces = piecesLeft;
    }

    /** Of what the answer that is on its way says something new: a heartbeat says nothing of what was sent or rejected before. */
    private List<String> newsUnderway() {
        return purpose == Flight.Purpose.HEARTBEAT ? List.of() : underway;
    }

    /**
     * Who is silent for so long is told apart by names only. Of what has gone since there is nothing to confirm, so that a client that never
     * answers costs no more than a state.
     */
    private Unanswered joined(Unanswered first, Unanswered second) {
        Set<String> names = new LinkedHashSet<>(first.names());
        names.addAll(second.names());
        names.removeIf(name ->
                had(name, true).isEmpty() && subscription.sent().find(name).isEmpty());
        return new Unanswered(second.flight(), List.copyOf(names));
    }

    /** The client speaks, late, of an answer before the one that is on its way: which that was; null if none. */
    @Nullable
    Flight answersLate(String nonce) {
        for (Unanswered earlier : unanswered) {
            if (earlier.flight().nonce().equals(nonce)) {
                return earlier.flight();
            }
        }
        return null;
    }

    /** What was in the earlier answer is accepted, or rejected; what is in the one on its way as well depends on what is said of that. */
    void settleLate(Flight flight, @Nullable Rejection rejection, long now) {
        List<Unanswered> left = new ArrayList<>(unanswered);
        for (Unanswered earlier : unanswered) {
            if (earlier.flight().equals(flight)) {
                left.remove(earlier);
                List<String> names = earlier.names().stream()
                        .filter(name -> !newsUnderway().contains(name))
                        .toList();
                if (rejection == null) {
                    names.forEach(this::settle);
                } else {
                    reject(names, rejection, now);
                }
            }
        }
        unanswered = left;
    }

    private void settle(String name) {
        if (!apart.isEmpty()) {
            apart.remove(name);
        }
    }

    /** All that is on its way. */
    private List<String> allUnderway() {
        if (unanswered.isEmpty()) {
            return underway;
        }
        Set<String> names = new LinkedHashSet<>();
        unanswered.forEach(earlier -> names.addAll(earlier.names()));
        names.addAll(underway);
        return List.copyOf(names);
    }

    void accepted(boolean wholeState, long now) {
        acceptedAt = now;
        if (wholeState) {
            apart = Map.of();
        } else if (!apart.isEmpty()) {
            allUnderway().forEach(apart::remove);
        }
        landed();
    }

    /** What the client has already is not what it rejects, unless there was nothing else; and of a removal there is nothing to reject. */
    void rejected(Rejection rejection, long now) {
        reject(allUnderway(), rejection, now);
        landed();
    }

    private void reject(List<String> names, Rejection rejection, long now) {
        List<String> news = names.stream().filter(this::isNews).toList();
        Map<String, Apart> rejected = new HashMap<>();
        for (String name : news.isEmpty() ? names : news) {
            EncodedResource refused = subscription.sent().find(name).orElse(null);
            if (refused != null && subscription.interest().covers(name)) {
                String version = subscription.versionOf(refused, rejection.version());
                rejected.put(name, new Apart(version(name, true), version, rejection, now));
            }
        }
        rejected.forEach(this::apart);
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
        unanswered = List.of();
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
        Set<String> pending = new HashSet<>(allUnderway());
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
