package io.parley.wire.header;

/** The protocol that the sending proxy speaks on the connection, so that the receiving one need not detect it. */
public enum SessionProtocol {
    HTTP1(1),
    HTTP2(2);

    private final int field;

    SessionProtocol(int field) {
        this.field = field;
    }

    /** Its field number in the {@code SessionProtocol} message. */
    int field() {
        return field;
    }
}
