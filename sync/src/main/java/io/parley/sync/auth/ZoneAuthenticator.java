package io.parley.sync.auth;

import io.grpc.Attributes;
import io.grpc.Metadata;

/** Finds out which zone calls. May block. */
@FunctionalInterface
public interface ZoneAuthenticator {
    /**
     * Judges a call by its headers and its connection.
     *
     * @param connection attributes of the transport, such as the TLS session
     */
    Answer authenticate(Metadata headers, Attributes connection);

    /** What was found out. */
    sealed interface Answer {
        /** This zone, of this tenant. */
        record Proven(ZoneIdentity zone) implements Answer {}

        /** Nobody we know; the reason is for our log, the caller is told only that it was refused. */
        record Refused(String because) implements Answer {}
    }
}
