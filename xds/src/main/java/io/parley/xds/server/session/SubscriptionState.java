package io.parley.xds.server.session;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one client and one type, for people.
 *
 * @param typeUrl as the client asked for it
 * @param resources versions sent, by name
 * @param missing names asked for that do not exist
 * @param accepted version of the last answer that the client accepted; empty if none
 * @param progress where the last answer stands
 * @param rejection the last NACK, if no answer was accepted since
 */
public record SubscriptionState(
        String typeUrl,
        Map<String, String> resources,
        Set<String> missing,
        String accepted,
        Progress progress,
        @Nullable Rejection rejection) {
    /** Where the last answer stands. */
    public enum Progress {
        NOT_SENT,
        SENT,
        ACCEPTED,
        REJECTED
    }
}
