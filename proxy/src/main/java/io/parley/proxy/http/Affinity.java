package io.parley.proxy.http;

import java.time.Duration;

/** What tells that two requests belong together, so that the same endpoint gets them. */
public sealed interface Affinity {
    /** The value of a header field. */
    record Header(String name) implements Affinity {}

    /**
     * The value of a cookie, which the proxy sets if the client has none.
     *
     * @param life zero for as long as the browser is open
     */
    record Cookie(String name, Duration life, String path) implements Affinity {}

    /** The value of a query parameter. */
    record Query(String name) implements Affinity {}

    /** The client's address. */
    record Source() implements Affinity {}
}
