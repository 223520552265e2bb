package io.parley.wire.detect;

import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.tls.ClientHello;

/** What the first bytes of a connection are. */
public sealed interface Detection {
    /** An HTTP/1 request line, as far as it has come. */
    record Http1() implements Detection {}

    /** The HTTP/2 connection preface, at least its first line. */
    record Http2() implements Detection {}

    /** A whole TLS ClientHello. */
    record Tls(ClientHello hello) implements Detection {}

    /**
     * A whole connection header; only inside mutual TLS.
     *
     * @param length how many bytes it takes; what follows belongs to the application
     */
    record Header(ConnectionHeader header, int length) implements Detection {}

    /** It begins like a connection header and is none; only inside mutual TLS. */
    record BadHeader(String because) implements Detection {}

    /** Something that is forwarded and not understood. */
    record Opaque(String because) implements Detection {}

    /**
     * All bytes so far fit a known protocol and do not prove it.
     *
     * @param atLeast how many readable bytes are needed before another look can tell more
     */
    record NeedMore(int atLeast) implements Detection {}
}
