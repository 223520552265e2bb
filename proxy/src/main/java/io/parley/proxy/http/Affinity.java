package io.parley.proxy.http;

import java.time.Duration;

/** What tells that two requests belong together, so that the same endpoint gets them. */
public sealed interface Affinity {
    /** The value of a header field. */
    record Header(String name) implements Affinity, Carrier {}

    /**
     * The value of a cookie, which the proxy sets if the client has none.
     *
     * @param life zero for as long as the browser is open
     */
    record Cookie(String name, Duration life, String path) implements Affinity, Carrier {}

    /** The value of a query parameter. */
    record Query(String name) implements Affinity {}

    /** The client's address. */
    record Source() implements Affinity {}

    /**
     * A token that the proxy gives to the client: whatever else changes, who shows it goes to the endpoint that it was given for.
     *
     * @param life how long one lasts; zero for as long as the client keeps it
     * @param idle how long one lasts without a request; zero for as long as the client keeps it
     */
    record Session(Carrier carrier, Duration life, Duration idle) implements Affinity {
        public boolean hasLimits() {
            return !life.isZero() || !idle.isZero();
        }
    }

    /** In what a client carries a token. */
    sealed interface Carrier {}
}
