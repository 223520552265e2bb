package io.parley.xds.server.session;

import io.parley.xds.server.session.TypeRules.Removal;
import io.parley.xds.server.snapshot.Changes;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceReference;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
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

    final SessionContext context;
    private final ResponseWriter.Kind kind;
    private final @Nullable String onlyType;

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
    }

    /** The next response to send now, if any; to be asked again after it was sent, while the reader can take more. */
    public final Optional<EncodedResponse> next(Snapshot current, long now) {
        int waitingRank = Integer.MAX_VALUE;
        for (Subscription subscription : subscriptions) {
            int rank = subscription.type.rules().rank();
            boolean held = rank > waitingRank || subscription.paused(now);
            if (!subscription.waiting(now) && (subscription.owed() || !held)) {
                EncodedResponse response = answer(subscription, current, now);
                if (response != null) {
                    subscription.launched(response, now);
                    return Optional.of(response);
                }
            }
            if (rank > 0 && subscription.waiting(now)) {
                waitingRank = Math.min(waitingRank, rank);
            }
        }
        return Optional.empty();
    }

    private @Nullable EncodedResponse answer(Subscription subscription, Snapshot current, long now) {
        ResourceSet before = subscription.sent();
        ResourceSet target = target(subscription, current, now);
        String nonce = Long.toString(nonces + 1);
        EncodedResponse response = subscription.answer(target, nonce);
        if (response != null) {
            oweWarming(subscription, target.changesSince(before), target);
        } else if (now >= subscription.heartbeatAt()) {
            response = subscription.heartbeat(kind, nonce);
        }
        if (response != null) {
            nonces++;
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

    /** A proxy keeps a changed cluster warming until endpoints come, also when they did not change (case S15). */
    private void oweWarming(Subscription changed, Changes changes, ResourceSet target) {
        if (context.traits().warming() == ClientTraits.Warming.NOT_NEEDED) {
            return;
        }
        for (String name : changed.interest().within(changes.updated())) {
            for (ResourceReference warmed :
                    target.find(name).map(EncodedResource::warms).orElse(List.of())) {
                oweAgain(warmed);
            }
        }
    }

    private void oweAgain(ResourceReference resource) {
        for (Subscription subscription : subscriptions) {
            if (subscription.type.canonical().equals(resource.typeUrl())
                    && subscription.interest().covers(resource.name())) {
                subscription.oweAlso(resource.name());
            }
        }
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

    /** Whether no answer is waiting for its acknowledgement. */
    public final boolean settled() {
        for (Subscription subscription : subscriptions) {
            if (subscription.flight() != null) {
                return false;
            }
        }
        return true;
    }

    public final List<SubscriptionState> describe() {
        return subscriptions.stream().map(Subscription::describe).toList();
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

    final @Nullable Subscription find(RequestedType type) {
        for (Subscription subscription : subscriptions) {
            if (subscription.type.asked().equals(type.asked())) {
                return subscription;
            }
        }
        return null;
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
