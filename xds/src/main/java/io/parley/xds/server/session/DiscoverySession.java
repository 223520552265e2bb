package io.parley.xds.server.session;

import io.parley.xds.server.session.Flight.Purpose;
import io.parley.xds.server.session.TypeRules.Removal;
import io.parley.xds.server.snapshot.Changes;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One discovery stream as the protocol sees it, of one type or of many. Confined to whoever drives it, except {@link #concernedBy}.
 *
 * <p>Among types that have an order, a push waits until those before it are accepted, and clusters that are no longer used go last, so
 * that a client never holds a route to a cluster that it does not have. An answer to a new name waits for nothing.
 */
public abstract sealed class DiscoverySession permits SotwSession, DeltaSession {
    private static final Duration LINGER = Duration.ofSeconds(3);
    private static final int LONGEST_NAME = 2048;
    private static final int SHOWN_OF_A_NAME = 64;

    final SessionContext context;
    private final ResponseWriter.Kind kind;
    private final @Nullable String onlyType;
    private final Warming warming;

    /** In the order of their ranks; replaced when a type is added, so that publishers may walk it. */
    private volatile List<Subscription> subscriptions = List.of();

    private long nonces;

    /**
     * @param onlyType canonical URL of the type that the stream is about; null on an aggregated stream
     */
    DiscoverySession(ResponseWriter.Kind kind, @Nullable String onlyType, SessionContext context) {
        this.kind = kind;
        this.onlyType = onlyType;
        this.context = context;
        warming = new Warming(context.traits().warming());
    }

    /** The next response to send now, if any; to be asked again after it was sent, while the reader can take more. */
    public final Optional<EncodedResponse> next(Snapshot current, long now) {
        resume(current);
        int waitingRank = Integer.MAX_VALUE;
        for (Subscription subscription : subscriptions) {
            int rank = subscription.type.rules().rank();
            boolean held = rank > waitingRank || subscription.paused(now);
            if (!subscription.waiting(now) && (subscription.owed() || !held)) {
                EncodedResponse response = say(subscription, current, now);
                if (response != null) {
                    nonces++;
                    return Optional.of(response);
                }
            }
            if (rank > 0 && subscription.waiting(now)) {
                waitingRank = Math.min(waitingRank, rank);
            }
        }
        return Optional.empty();
    }

    private void resume(Snapshot current) {
        for (Subscription subscription : subscriptions) {
            if (subscription.brings() && subscription.resume(current.resources(subscription.type.canonical()))) {
                warming.resumed(subscription);
            }
        }
    }

    private @Nullable EncodedResponse say(Subscription subscription, Snapshot current, long now) {
        ResourceSet target = target(subscription, current, now);
        if (subscription.isUpTo(target, now)) {
            return null;
        }
        String nonce = Long.toString(nonces + 1);
        ResourceSet before = subscription.sent();
        EncodedResponse response = answer(subscription, target, nonce);
        Purpose purpose = Purpose.NEWS;
        if (response == null && now >= subscription.heartbeatAt()) {
            response = subscription.heartbeat(nonce);
            purpose = Purpose.HEARTBEAT;
        }
        if (response != null) {
            subscription.launched(response, purpose, before, now);
        }
        return response;
    }

    private @Nullable EncodedResponse answer(Subscription subscription, ResourceSet target, String nonce) {
        if (target.withheldCount() > 0) {
            if (subscription.withholds(target)) {
                context.events().withheld(subscription.type.asked(), target.withheldCount());
            }
            return null;
        }
        ResourceSet before = subscription.sent();
        EncodedResponse response = subscription.answer(target, nonce);
        if (response != null) {
            warming.changed(subscription, target.changesSince(before), target, subscriptions);
        }
        return response;
    }

    private ResourceSet target(Subscription subscription, Snapshot current, long now) {
        ResourceSet target = current.resources(subscription.type.canonical());
        if (subscription.type.rules().removal() != Removal.LAST) {
            return target;
        }
        boolean used = stillUsed(subscription, current, now);
        if (used && namesClusters(subscription)) {
            subscription.lingerUntil(now + LINGER.toNanos());
        }
        return used || now < subscription.lingerUntil() ? target.keepingRemovedOf(subscription.sent()) : target;
    }

    /**
     * A state-of-the-world client that names clusters gives the old one up by itself, once it has the new one. Told of the old one's end
     * before, while its request for the new one is on its way, it takes the answer to mean that neither exists (grpc-java does).
     */
    private boolean namesClusters(Subscription subscription) {
        return kind == ResponseWriter.Kind.SOTW && !subscription.interest().all();
    }

    /** Whether a type of higher rank may still point to what is gone: not up to date, or its client stays with an older state. */
    private boolean stillUsed(Subscription subscription, Snapshot current, long now) {
        for (Subscription other : subscriptions) {
            boolean above = other.type.rules().removal() == Removal.AT_ONCE
                    && other.type.rules().rank() > subscription.type.rules().rank();
            if (above
                    && (other.waiting(now)
                            || other.rejected()
                            || other.changedTo(current.resources(other.type.canonical())))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a change may lead to a response. Callable from any thread. */
    public final boolean concernedBy(Map<String, Changes> changes) {
        for (Subscription subscription : subscriptions) {
            Changes ofType = changes.get(subscription.type.canonical());
            if (ofType != null && subscription.interest().concernedBy(ofType)) {
                return true;
            }
        }
        return false;
    }

    /** When to ask for {@link #next} again though nothing happened; {@link Long#MAX_VALUE}: never. */
    public final long wakeAt(long now) {
        long earliest = Long.MAX_VALUE;
        for (Subscription subscription : subscriptions) {
            Flight flight = subscription.flight();
            if (flight != null && subscription.waiting(now)) {
                earliest = Math.min(
                        earliest, flight.sentAt() + context.limits().patience().toNanos());
            }
            if (subscription.paused(now)) {
                earliest = Math.min(earliest, subscription.pausedUntil());
            }
            if (now < subscription.lingerUntil()) {
                earliest = Math.min(earliest, subscription.lingerUntil());
            }
            earliest = Math.min(earliest, subscription.heartbeatAt());
        }
        return earliest;
    }

    /** Whether the client came with what it has from another stream, which was not looked at yet. */
    public final boolean brings() {
        return subscriptions.stream().anyMatch(Subscription::brings);
    }

    /** Whether no answer is waiting for its acknowledgement. */
    public final boolean settled() {
        for (Subscription subscription : subscriptions) {
            if (subscription.flight() != null) {
                return false;
            }
        }
        return true;
    }

    public final List<SubscriptionState> describe(long now) {
        return subscriptions.stream()
                .map(subscription -> subscription.describe(now))
                .toList();
    }

    /** Finds out which type a request is about, or why it cannot be served. */
    final Typed typed(String url) {
        if (url.isEmpty() && onlyType == null) {
            return new Typed.Refused(new Refusal(
                    Refusal.Code.INVALID_ARGUMENT, "type_url: empty (expected: a type, on an aggregated stream)"));
        }
        RequestedType type = RequestedType.of(url.isEmpty() && onlyType != null ? onlyType : url, context.types());
        if (onlyType != null
                && !type.canonical()
                        .equals(RequestedType.of(onlyType, context.types()).canonical())) {
            return new Typed.Refused(
                    new Refusal(Refusal.Code.INVALID_ARGUMENT, "type_url: " + url + " (expected: " + onlyType + ")"));
        }
        return new Typed.Of(type);
    }

    sealed interface Typed {
        record Of(RequestedType type) implements Typed {}

        record Refused(Refusal refusal) implements Typed {}
    }

    final @Nullable Subscription find(String typeUrl) {
        for (Subscription subscription : subscriptions) {
            if (subscription.type.asked().equals(typeUrl)) {
                return subscription;
            }
        }
        return null;
    }

    /** Names are what a client can fill memory with: they are bounded over all types of a stream together. */
    final Optional<Refusal> bounded(Subscription asking, Collection<String> asked, int namesAfter) {
        int most = context.limits().names();
        int names = namesAfter;
        for (Subscription other : subscriptions) {
            names += other.equals(asking) ? 0 : other.interest().names().size();
        }
        if (names > most) {
            return Optional.of(new Refusal(
                    Refusal.Code.RESOURCE_EXHAUSTED,
                    "resource names: " + names + " on one stream (expected: at most " + most + ", or the wildcard)"));
        }
        return asked.stream()
                .filter(name -> name.length() > LONGEST_NAME)
                .findAny()
                .map(name -> new Refusal(
                        Refusal.Code.INVALID_ARGUMENT,
                        "resource name of " + name.length() + " characters (expected: at most " + LONGEST_NAME + "): "
                                + name.substring(0, SHOWN_OF_A_NAME) + "..."));
    }

    final Optional<Refusal> add(Subscription subscription) {
        int limit = context.limits().types();
        if (subscriptions.size() >= limit) {
            return Optional.of(new Refusal(
                    Refusal.Code.RESOURCE_EXHAUSTED,
                    "more than " + limit + " types on one stream: use another stream"));
        }
        List<Subscription> more = new ArrayList<>(subscriptions);
        more.add(subscription);
        more.sort(Comparator.comparingInt(each -> each.type.rules().rank()));
        subscriptions = List.copyOf(more);
        return Optional.empty();
    }

    /** Nonces count up from 1 on each stream, so that one that was given out before can be told from a stranger. */
    final boolean issued(String nonce) {
        try {
            long number = Long.parseLong(nonce);
            return number > 0 && number <= nonces;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
