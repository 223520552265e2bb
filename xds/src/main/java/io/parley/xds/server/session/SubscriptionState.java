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
 * @param rejection the last NACK, if no answer was accepted since
 * @param sinceAccepted how long ago the client accepted an answer on this stream; null if it never did
 * @param sinceRejected how long ago it rejected one; null if it never did
 */
public record SubscriptionState(
        String typeUrl,
        List<ResourceState> resources,
        String accepted,
        Progress progress,
        @Nullable Rejection rejection,
        @Nullable Duration sinceAccepted,
        @Nullable Duration sinceRejected) {
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
     * @param rejectedVersion its version that the client rejected; empty unless it did
     */
    public record ResourceState(String name, Holding holding, String version, String rejectedVersion) {}

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
