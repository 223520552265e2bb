package io.parley.link.peer;

import io.parley.wire.wrpc.CloseReason;

/** What carries whole messages for a peer. Only ever used on the connection's event loop. */
public interface Wire {
    /** Sends one binary message, whole. */
    void send(byte[] message);

    /** What was sent and has not left yet. */
    long queuedBytes();

    /** Says why and ends the connection, at the latest a few seconds later. */
    void close(CloseReason reason);

    /** Ends the connection now, for a peer that does not read what is sent to it. */
    void abort();
}
