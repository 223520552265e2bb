package io.parley.xds.server.session;

import io.parley.xds.server.session.SubscriptionState.Holding;
import io.parley.xds.server.session.SubscriptionState.Progress;
import io.parley.xds.server.session.SubscriptionState.ResourceState;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the client of one subscription is known to have, which is less than what it was sent while an answer is on its way or was
 * rejected. Sets are shared, so that knowing this costs a reference.
 */
final class Confirmation {
    /** The state before the first answer that was not accepted; null while all that was sent is accepted. */
    private @Nullable ResourceSet confirmed;

    private long acceptedAt = Long.MIN_VALUE;
    private long rejectedAt = Long.MIN_VALUE;

    void leaves(ResourceSet before) {
        if (confirmed == null) {
            confirmed = before;
        }
    }

    void accepted(long now) {
        confirmed = null;
        acceptedAt = now;
    }

    void rejected(long now) {
        rejectedAt = now;
    }

    @Nullable
    Duration sinceAccepted(long now) {
        return since(acceptedAt, now);
    }

    @Nullable
    Duration sinceRejected(long now) {
        return since(rejectedAt, now);
    }

    private static @Nullable Duration since(long time, long now) {
        return time == Long.MIN_VALUE ? null : Duration.ofNanos(now - time);
    }

    List<ResourceState> describe(Subscription subscription, Progress progress) {
        ResourceSet had = Optional.ofNullable(confirmed).orElse(subscription.sent());
        Set<String> names = new LinkedHashSet<>(subscription.interest().names());
        names.addAll(subscription.interest().within(subscription.sent()));
        names.addAll(subscription.interest().within(had));
        boolean rejectedWhatItHad = progress == Progress.REJECTED && !subscription.changedTo(had);
        List<ResourceState> states = new ArrayList<>(names.size());
        for (String name : names) {
            states.add(describe(name, had.find(name).orElse(null), subscription, rejectedWhatItHad));
        }
        return states;
    }

    private static ResourceState describe(
            String name, @Nullable EncodedResource had, Subscription subscription, boolean rejectedWhatItHad) {
        EncodedResource sent = subscription.sent().find(name).orElse(null);
        Rejection rejection = subscription.rejection();
        boolean owed = subscription.fresh().contains(name);
        String version = had == null ? "" : subscription.versionOf(had, subscription.accepted());
        boolean same = sent != null && had != null && sent.version().equals(had.version());
        if (sent != null && rejection != null && (!same || rejectedWhatItHad)) {
            return new ResourceState(
                    name, Holding.REJECTED, version, subscription.versionOf(sent, rejection.version()));
        }
        if (had != null) {
            return new ResourceState(name, same && !owed ? Holding.ACCEPTED : Holding.BEHIND, version, "");
        }
        return new ResourceState(name, sent != null || owed ? Holding.REQUESTED : Holding.MISSING, "", "");
    }
}
