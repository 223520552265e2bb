package io.parley.sync.status;

import io.parley.agreement.sync.Feature;
import io.parley.agreement.sync.Features;
import io.parley.agreement.sync.SyncVersion;
import io.parley.sync.copy.Verdict;
import io.parley.sync.stream.StreamCounts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What this control plane has seen of a zone since it started. */
public final class ZoneStatus implements StreamCounts {
    private static final int MOST_SUBSCRIPTIONS = 10;
    private static final int LONGEST_TEXT = 1_000;

    private final String zone;
    private final String globalInstance;
    private final InstantSource clock;
    private final LongSupplier ticker;
    private final Deque<Subscription> subscriptions = new ArrayDeque<>();
    private final Rejections rejections = new Rejections();
    private final Map<String, Long> unanswered = new HashMap<>();
    private @Nullable Long leftAt;
    private Peer peer = new Peer("", "", Features.NONE, Optional.empty());
    private @Nullable Instant health;
    private @Nullable Note refusal;
    private long heardAt;
    private long agedAt;
    private boolean changed;
    private boolean urgent;

    /**
     * What a zone says of itself.
     *
     * @param version of synchronisation that is spoken with it; nothing as long as it has opened no stream that tells
     */
    public record Peer(String release, String instance, Features features, Optional<SyncVersion> version) {}

    /** Something that people should know, and when it happened. */
    record Note(Instant time, String text) {}

    /** All of it at one time. */
    record Report(
            String zone,
            String globalInstance,
            List<Subscription> subscriptions,
            Peer peer,
            @Nullable Instant health,
            Map<Rejections.About, Optional<Note>> rejections,
            @Nullable Note refusal) {}

    public ZoneStatus(String zone, String globalInstance, InstantSource clock, LongSupplier ticker) {
        this.zone = zone;
        this.globalInstance = globalInstance;
        this.clock = clock;
        this.ticker = ticker;
    }

    String zone() {
        return zone;
    }

    /** So many streams are open now. The first one begins a subscription, the end of the last one ends it. */
    public synchronized void streams(int open) {
        boolean connected = isOnline();
        if (open > 0 && !connected) {
            subscriptions.addLast(Subscription.opened(UUID.randomUUID().toString(), clock.instant()));
            if (subscriptions.size() > MOST_SUBSCRIPTIONS) {
                subscriptions.removeFirst();
            }
            heardAt = ticker.getAsLong();
            agedAt = heardAt;
            leftAt = null;
            change(true);
        } else if (open == 0 && connected) {
            subscriptions.addLast(subscriptions.removeLast().closed(clock.instant()));
            unanswered.clear();
            leftAt = ticker.getAsLong();
            change(true);
        }
    }

    public synchronized void introduced(Peer said) {
        heardAt = ticker.getAsLong();
        // Not every call says all of it, nor does the last one of a connection take back what an earlier one said.
        Features features = isOnline() ? peer.features().and(said.features()) : said.features();
        Optional<SyncVersion> version = said.version().or(peer::version);
        Peer now = new Peer(said.release(), said.instance(), features, version);
        if (!now.equals(peer)) {
            peer = now;
            change(true);
        }
    }

    public synchronized void healthy() {
        heardAt = ticker.getAsLong();
        health = clock.instant();
        changed = true;
    }

    /** The zone was not let in, though it is who it says. */
    public synchronized void refused(String because) {
        refusal = new Note(clock.instant(), cut(because));
        change(true);
    }

    public synchronized boolean isOnline() {
        return !subscriptions.isEmpty() && subscriptions.getLast().isOpen();
    }

    /** Whether a connection is one that this control plane has, or had. */
    synchronized boolean knows(String subscription) {
        return subscriptions.stream().anyMatch(each -> each.id().equals(subscription));
    }

    /** Whether a zone that promised to report its health has not done so for this long. */
    public synchronized boolean isSilentFor(Duration time) {
        return isOnline()
                && peer.features().has(Feature.ZONE_PING_HEALTH)
                && ticker.getAsLong() - heardAt > time.toNanos();
    }

    /** The zone is connected to another control plane of the same store. */
    synchronized void foundElsewhere() {
        leftAt = null;
    }

    /** For how long the zone has been without something: the oldest answer that it has not acknowledged, or the time since it left. */
    synchronized Duration staleness() {
        long now = ticker.getAsLong();
        Long left = leftAt;
        long since =
                unanswered.values().stream().mapToLong(Long::longValue).min().orElse(left == null ? now : left);
        return Duration.ofNanos(Math.max(0, now - since));
    }

    @Override
    public synchronized void sent(String kind, int resources, int bytes) {
        unanswered.putIfAbsent(kind, ticker.getAsLong());
        count(kind, new KindCounts(1, 0, 0, 0, 0));
    }

    @Override
    public synchronized void acknowledged(String kind, Duration after) {
        unanswered.remove(kind);
        count(kind, new KindCounts(0, 1, 0, 0, 0));
    }

    @Override
    public synchronized void inStep(String kind) {
        changed |= rejections.settled(Rejections.Direction.SENT, kind);
    }

    @Override
    public synchronized void rejected(String kind, String message) {
        unanswered.remove(kind);
        rejections.stands(Rejections.Direction.SENT, kind, new Note(clock.instant(), cut(message)));
        count(kind, new KindCounts(0, 0, 1, 0, 0));
    }

    @Override
    public synchronized void received(String kind, int resources, Verdict verdict) {
        if (verdict.standing().isEmpty()) {
            changed |= rejections.settled(Rejections.Direction.RECEIVED, kind);
        } else {
            rejections.stands(
                    Rejections.Direction.RECEIVED, kind, new Note(clock.instant(), cut(verdict.standingMessage())));
        }
        count(kind, new KindCounts(0, 0, 0, resources, verdict.problems().size()));
    }

    @Override
    public synchronized void unsendable(String kind, int bytes, int resources) {
        String because = resources + " resources are " + bytes + " bytes, more than the zone takes at once";
        rejections.stands(Rejections.Direction.SENT, kind, new Note(clock.instant(), because));
        change(true);
    }

    @Override
    public synchronized void withheld(String kind, int resources) {
        String because = resources + " resources are kept from the zone, which takes protobuf only; we have no message";
        rejections.stands(Rejections.Direction.SENT, kind, new Note(clock.instant(), because));
        change(true);
    }

    private synchronized void count(String kind, KindCounts more) {
        if (isOnline()) {
            subscriptions.addLast(subscriptions.removeLast().counted(kind, more, clock.instant()));
            changed = true;
        }
    }

    private void change(boolean now) {
        changed = true;
        urgent |= now;
    }

    /** What is to be written down, if it is time to: at once when the zone comes or goes, else after a while. */
    synchronized Optional<Report> due(Duration sinceLast, Duration interval, Duration ageEvery) {
        long now = ticker.getAsLong();
        if (isOnline() && now - agedAt >= ageEvery.toNanos()) {
            agedAt = now;
            subscriptions.addLast(subscriptions.removeLast().aged());
            changed = true;
        }
        if (!changed || !(urgent || sinceLast.compareTo(interval) >= 0)) {
            return Optional.empty();
        }
        changed = false;
        urgent = false;
        return Optional.of(new Report(
                zone, globalInstance, List.copyOf(subscriptions), peer, health, rejections.known(), refusal));
    }

    /** It could not be written down. */
    synchronized void notWritten() {
        changed = true;
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }
}
