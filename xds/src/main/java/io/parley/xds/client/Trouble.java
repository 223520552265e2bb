package io.parley.xds.client;

/**
 * Why a resource is not there, or may not be up to date.
 *
 * @param message for people: what was found, where, and what was expected
 */
public record Trouble(Kind kind, String message) {
    /** What sort of trouble it is, for programs. */
    public enum Kind {
        /** The server says, or lets it be known by silence, that there is no such resource. */
        NOT_FOUND,
        /** The server does not let this node have the resource. */
        PERMISSION_DENIED,
        /** The server sent something that cannot be used. */
        INVALID,
        /** The server cannot be reached, or ended the stream before it answered. */
        UNREACHABLE,
        /** The server is there and has not answered in time. */
        SLOW,
        /** This client and the server share no version of xDS. */
        NO_COMMON_VERSION,
        /** The name itself is wrong, or its authority is not in the bootstrap file. */
        BAD_NAME
    }

    @Override
    public String toString() {
        return kind + ": " + message;
    }
}
