package io.parley.wire.hpack;

/** A block that cannot be read. The tables of the two ends differ from here on, so the connection is lost (RFC 7541 section 2.2). */
public final class HpackException extends Exception {
    private static final long serialVersionUID = 1;

    /** Without a stack trace: a stranger decides how often it is made, and the message says it all. */
    HpackException(String message) {
        super(message, null, false, false);
    }
}
