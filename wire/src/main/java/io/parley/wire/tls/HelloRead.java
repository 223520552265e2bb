package io.parley.wire.tls;

/** What the bytes at the start of a connection say about TLS. */
public sealed interface HelloRead {
    /** A whole ClientHello. */
    record Found(ClientHello hello) implements HelloRead {}

    /**
     * So far it may be a ClientHello.
     *
     * @param atLeast how many readable bytes are needed before another look can tell more
     */
    record NeedMore(int atLeast) implements HelloRead {}

    /** Not a ClientHello. */
    record NotTls(String because) implements HelloRead {}
}
