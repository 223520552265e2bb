package io.parley.proxy.http;

import java.time.Duration;

/**
 * How long the parts of a request may take. Zero is for ever.
 *
 * @param head for the head of a request to be complete, from its first byte; then 408
 * @param idle between two requests on one connection; then it is closed
 * @param streamIdle during which a request makes no progress in either direction; then 408 or 504, or the stream is reset
 * @param request for the whole request to arrive; then 408, or 504 if its server does not take it
 */
public record HttpTimeouts(Duration head, Duration idle, Duration streamIdle, Duration request) {
    public static final HttpTimeouts DEFAULT =
            new HttpTimeouts(Duration.ofSeconds(10), Duration.ofHours(1), Duration.ofMinutes(5), Duration.ofMinutes(5));

    /** For how long a client may take nothing of what is ready for it. Never for ever: that would keep memory, and a drain waiting. */
    public Duration untaken() {
        return streamIdle.isZero() ? DEFAULT.streamIdle : streamIdle;
    }
}
