package io.parley.xds.server.session;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What happened on a stream, for those who count, show and warn. Called on the thread that drives the session. */
public interface SessionEvents {
    /** Tells nobody. */
    SessionEvents NONE = new SessionEvents() {};

    default void sent(EncodedResponse response) {}

    /**
     * An answer was accepted.
     *
     * @param after how long after it was sent
     * @param standing the last rejection of something that was not in this answer; null if all that was rejected is replaced
     */
    default void acknowledged(String typeUrl, String version, Duration after, @Nullable Rejection standing) {}

    default void rejected(String typeUrl, Rejection rejection) {}

    /** What was rejected is no longer wanted, and nothing else stands rejected. No answer was accepted by that. */
    default void givenUp(String typeUrl) {}

    /** A request answered something older than the last answer and was not heeded. */
    default void staleNonce(String typeUrl) {}

    /** An answer that had to stay whole is larger than clients take by default. */
    default void oversized(String typeUrl, int bytes) {}

    /** The first state is too large for a reader that takes it only whole: nothing of this type is sent until it is smaller. */
    default void unsendable(String typeUrl, int bytes, int resources) {}

    /** The reader would not understand this type: nothing is said of it. */
    default void withheld(String typeUrl, int resources) {}
}
