package io.parley.wire.header;

/** What the bytes at the start of a connection say about a connection header. */
public sealed interface HeaderRead {
    /**
     * A whole header.
     *
     * @param length how many bytes it takes; what follows belongs to the application
     */
    record Found(ConnectionHeader header, int length) implements HeaderRead {}

    /**
     * So far it may be a header.
     *
     * @param atLeast how many readable bytes are needed before another look can tell more
     */
    record NeedMore(int atLeast) implements HeaderRead {}

    /** No header begins like this. */
    record Absent() implements HeaderRead {}

    /** It begins like a header and is none: the connection cannot be trusted. */
    record Malformed(String because) implements HeaderRead {}
}
