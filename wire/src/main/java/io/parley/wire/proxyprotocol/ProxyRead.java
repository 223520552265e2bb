package io.parley.wire.proxyprotocol;

import org.jspecify.annotations.Nullable;

/** What the bytes at the start of a connection say about the PROXY protocol. */
public sealed interface ProxyRead {
    /**
     * A whole header.
     *
     * @param addresses null if the sender speaks for itself (LOCAL) or does not know (UNKNOWN, UNSPEC): use the socket's own
     * @param length how many bytes it takes; what follows belongs to the connection
     */
    record Found(@Nullable ProxiedAddresses addresses, int length) implements ProxyRead {}

    /**
     * So far it may be a header.
     *
     * @param atLeast how many readable bytes are needed before another look can tell more
     */
    record NeedMore(int atLeast) implements ProxyRead {}

    /** No header begins like this. */
    record Absent() implements ProxyRead {}

    /** It begins like a header and is none: the connection must be closed, as nobody knows whose it is. */
    record Malformed(String because) implements ProxyRead {}
}
