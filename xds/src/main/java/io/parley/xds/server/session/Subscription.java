package io.parley.xds.server.session;

import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One type on one stream: what the client wants, what it was brought up to, and whether an answer is on its way.
 *
 * <p>At most one answer is in flight. Nothing is ever queued behind it: what to say next is worked out when it can be said, from the
 * difference between {@link #sent} and what is current then. A slow client thus costs no memory and skips states that came and went.
 */
abstract sealed class Subscription permits SotwSubscription, DeltaSubscription {
    private static final int FIRST_PAUSE_DIVISOR = 16;
    private static final int MAX_DOUBLINGS = 4;

    final RequestedType type;
    final SessionContext context;

    /** Written by the session's thread only; read by publishers. */
    private volatile Interest interest = Interest.NOTHING;

    /** The state that the client was last brought up to, within its interest. */
    private ResourceSet sent = ResourceSet.EMPTY;

    /** Names to be answered whether they changed or not: newly asked for, asked for again, or left over from a split answer. */
    private Set<String> fresh = Set.of();

    private @Nullable Flight flight;

    /** The last state of which nothing may be said. */
    private @Nullable ResourceSet withheld;

    private @Nullable Rejection rejection;
    private final Confirmation confirmation = new Confirmation(this);
    private String lastNonce = "";
    private String accepted = "";
    private int rejectionsInARow;
    private long pausedUntil = Long.MIN_VALUE;
    private long heartbeatAt = Long.MAX_VALUE;
    private long lingerUntil = Long.MIN_VALUE;

    Subscription(RequestedType type, SessionContext context) {
        this.type = type;
        this.context = context;
    }

    /** The next answer, or null if the client has all of it; either way it is up to {@code target} afterwards. */
    abstract @Nullable EncodedResponse answer(ResourceSet target, String nonce);

    /** Takes what the client brought from another stream, as far as it is still so, as sent; whether it brought anything. */
    boolean resume(ResourceSet current) {
        return false;
    }

    /** Whether the client brought something from another stream. */
    boolean resumed() {
        return false;
    }

    /** Whether the client has something from another stream that was not looked at yet. */
    abstract boolean brings();

    /** An answer that keeps these resources from expiring. */
    abstract EncodedResponse heartbeat(List<EncodedResource> expiring, String nonce);

    /** Whether there is nothing to say of this state, seen without looking into it; most turns find most types so. */
    final boolean isUpTo(ResourceSet state, long now) {
        return sent == state && !brings() && !owed() && now < heartbeatAt;
    }

    /** Whether each answer carries all that the client is to have. */
    boolean answersWithAll() {
        return false;
    }

    /** Whether something is owed to the client that it asked for, which no pause and no order holds back. */
    abstract boolean owed();

    final Interest interest() {
        return interest;
    }

    final void interest(Interest next) {
        boolean stood = confirmation.standing() != null;
        confirmation.wants(next);
        interest = next;
        owe(fresh.stream().filter(next::covers).toList());
        if (stood && confirmation.standing() == null) {
            rejection = null;
            rejectionsInARow = 0;
            pausedUntil = Long.MIN_VALUE;
            context.events().givenUp(type.asked());
        }
    }

    final ResourceSet sent() {
        return sent;
    }

    final void sent(ResourceSet state) {
        sent = state;
    }

    final Set<String> fresh() {
        return fresh;
    }

    /** Makes these names, and no others, the ones to be answered whether they changed or not. */
    final void owe(Collection<String> names) {
        fresh = names.isEmpty() ? Set.of() : new LinkedHashSet<>(names);
    }

    final void oweAlso(String name) {
        if (fresh.isEmpty()) {
            fresh = new LinkedHashSet<>();
        }
        fresh.add(name);
    }

    /** Notes that nothing may be said of this state; whether that is news. */
    final boolean withholds(ResourceSet state) {
        boolean news = withheld != state;
        withheld = state;
        return news;
    }

    final @Nullable Flight flight() {
        return flight;
    }

    final String lastNonce() {
        return lastNonce;
    }

    /** Version of the last answer that the client accepted; empty if none. */
    final String accepted() {
        return accepted;
    }

    /** Whether the client stays with an older state of something. */
    final boolean rejected() {
        return rejection != null;
    }

    /** The client came with this state, accepted on another stream; if parts of it expire, their time is running. */
    final void brought(String version) {
        accepted = version;
        heartbeatAt = heartbeats() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    final boolean waiting(long now) {
        Flight current = flight;
        return current != null
                && now - current.sentAt() < context.limits().patience().toNanos();
    }

    final boolean paused(long now) {
        return now < pausedUntil;
    }

    final long pausedUntil() {
        return pausedUntil;
    }

    /** Until when what is gone is kept for a client that was just moved away from it. */
    final long lingerUntil() {
        return lingerUntil;
    }

    final void lingerUntil(long time) {
        lingerUntil = time;
    }

    final boolean changedTo(ResourceSet target) {
        return interest.concernedBy(target.changesSince(sent));
    }

    /** An answer goes out that brings the client on from this state. */
    final void launched(EncodedResponse response, Flight.Purpose purpose, ResourceSet before, long now) {
        confirmation.leaves(before, response.names(), purpose, !fresh.isEmpty(), flight);
        lastNonce = response.nonce();
        flight = new Flight(response.nonce(), response.version(), purpose, now);
        heartbeatAt = nextHeartbeat(now);
        context.events().sent(response);
    }

    /** Ends the flight that a request with the last nonce answers. */
    final void settle(String version, @Nullable ErrorDetail error, long now) {
        Flight landed = flight;
        if (landed == null) {
            return; // a change of subscription: clients repeat the last nonce on it
        }
        flight = null;
        if (error != null) {
            reject(landed, version, error, now);
        } else if (landed.purpose() == Flight.Purpose.NEWS) {
            accepted = landed.version();
            confirmation.accepted(answersWithAll(), now);
            rejection = confirmation.standing();
            rejectionsInARow = 0;
            pausedUntil = Long.MIN_VALUE;
            Duration after = Duration.ofNanos(now - landed.sentAt());
            context.events().acknowledged(type.asked(), landed.version(), after, rejection);
        } else {
            confirmation.landed();
        }
    }

    /**
     * A request answers something older than the last answer, of which nothing was heard for long. What it rejects stays rejected, unless
     * the last answer has something newer of it.
     */
    final void settleLate(String nonce, @Nullable ErrorDetail error, long now) {
        Flight landed = confirmation.answersLate(nonce);
        if (landed == null) {
            return;
        }
        if (error == null) {
            confirmation.settleLate(landed, null, now);
            rejection = confirmation.standing();
            return;
        }
        Rejection late = new Rejection(landed.version(), accepted, error.code(), error.message());
        confirmation.settleLate(landed, late, now);
        rejection = confirmation.standing();
        context.events().rejected(type.asked(), late);
    }

    /** Whoever corrects a mistake does not wait long; one mistake after another makes each pause twice as long as the last. */
    private void reject(Flight landed, String version, ErrorDetail error, long now) {
        rejection =
                new Rejection(landed.version(), version.isEmpty() ? accepted : version, error.code(), error.message());
        long longest = context.limits().rejectionPause().toNanos();
        pausedUntil =
                now + Math.min(longest, (longest / FIRST_PAUSE_DIVISOR) << Math.min(rejectionsInARow, MAX_DOUBLINGS));
        rejectionsInARow++;
        confirmation.rejected(rejection, now);
        context.events().rejected(type.asked(), rejection);
    }

    /** Adds what exists of the names and says of the others that they do not, as much as fits; the rest stays owed. */
    final void fill(ResponseWriter writer, Collection<String> names, ResourceSet target) {
        List<String> left = new ArrayList<>();
        for (String name : names) {
            if (!add(writer, name, target)) {
                left.add(name);
            }
        }
        owe(left);
    }

    /** Adds the resource, or that there is none; whether it fitted. */
    static boolean add(ResponseWriter writer, String name, ResourceSet target) {
        EncodedResource resource = target.find(name).orElse(null);
        if (!writer.fits(name, resource)) {
            return false;
        }
        if (resource == null) {
            writer.addMissing(name);
        } else {
            writer.add(resource);
        }
        return true;
    }

    /** Names owed and names changed, each once. */
    final Collection<String> freshAnd(Collection<String> changed) {
        if (fresh.isEmpty()) {
            return changed;
        }
        Set<String> both = new LinkedHashSet<>(fresh);
        both.addAll(changed);
        return both;
    }

    /** Of these names, those whose resource, as it is in this state, does not come from the reader itself. */
    final Collection<String> seen(Collection<String> names, ResourceSet state) {
        Recipient recipient = context.recipient();
        if (recipient.name().isEmpty() || names.isEmpty()) {
            return names;
        }
        return names.stream()
                .filter(name -> state.find(name).map(recipient::sees).orElse(true))
                .toList();
    }

    final long heartbeatAt() {
        return heartbeatAt;
    }

    /** An answer that keeps what the client has from expiring, if there is anything that would. */
    final @Nullable EncodedResponse heartbeat(String nonce) {
        List<EncodedResource> expiring = expiring();
        if (expiring.isEmpty() || accepted.isEmpty()) {
            heartbeatAt = Long.MAX_VALUE;
            return null;
        }
        return heartbeat(expiring, nonce);
    }

    private long nextHeartbeat(long now) {
        if (!heartbeats()) {
            return Long.MAX_VALUE;
        }
        long shortest = Long.MAX_VALUE;
        for (EncodedResource resource : expiring()) {
            Duration ttl = resource.timeToLive();
            if (ttl != null) {
                shortest = Math.min(shortest, ttl.toNanos());
            }
        }
        return shortest == Long.MAX_VALUE ? shortest : now + shortest / 2;
    }

    abstract boolean heartbeats();

    private List<EncodedResource> expiring() {
        return interest.within(sent).stream()
                .flatMap(name -> sent.find(name).stream())
                .filter(resource -> resource.timeToLive() != null)
                .toList();
    }

    /** The version of a resource as clients of this kind were told it in an answer of this version. */
    abstract String versionOf(EncodedResource resource, String answer);

    final SubscriptionState describe(long now) {
        return new SubscriptionState(
                type.asked(),
                confirmation.describe(now),
                accepted,
                progress(),
                rejection,
                confirmation.sinceAccepted(now));
    }

    private SubscriptionState.Progress progress() {
        if (flight != null) {
            return SubscriptionState.Progress.SENT;
        }
        if (rejectionsInARow > 0) {
            return SubscriptionState.Progress.REJECTED;
        }
        return lastNonce.isEmpty() ? SubscriptionState.Progress.NOT_SENT : SubscriptionState.Progress.ACCEPTED;
    }
}
