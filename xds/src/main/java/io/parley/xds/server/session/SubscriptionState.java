package io.parley.xds.server.session;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one client and one type, for people.
 *
 * @param typeUrl as the client asked for it
 * @param resources what the client has, is being sent, or asked for in vain
 * @param accepted version of the last answer that the client accepted; empty if none
 * @param progress where the last answer stands
 * @param rejection the last NACK, as long as the client has accepted nothing since that carries all of what it rejected
 * @param sinceAccepted how long ago the client accepted an answer on this stream; null if it never did
 */
public record SubscriptionState(
        String typeUrl,
        List<ResourceState> resources,
        String accepted,
        Progress progress,
        @Nullable Rejection rejection,
        @Nullable Duration sinceAccepted) {
    /** Where the last answer stands. */
    public enum Progress {
        NOT_SENT,
        SENT,
        ACCEPTED,
        REJECTED
    }

    /**
     * One resource as one client has it.
     *
     * @param version that the client has, as it was told to it: of the answer on a state-of-the-world stream, its own on a delta stream;
     *     empty if it has none
     * @param rejected what the client rejected and was not replaced since by what it accepted; null if there is nothing
     */
    public record ResourceState(
            String name,
            Holding holding,
            String version,
            @Nullable Rejected rejected) {}

    /**
     * A resource in an answer that was rejected.
     *
     * @param version in which it was rejected
     * @param message the client's reason, which is one for all of the answer
     */
    public record Rejected(String version, String message, Duration since) {}

    /** How a client stands to a resource. */
    public enum Holding {
        /** It asked, and was not told yet or has not said what it thinks of it. */
        REQUESTED,
        /** It asked, and was told that there is none. */
        MISSING,
        /** It has what it was sent. */
        ACCEPTED,
        /** It has an earlier state; what is current is on its way, or has to wait. */
        BEHIND,
        /** It rejected what it was sent, and stays with what it had. */
        REJECTED
    }
}
