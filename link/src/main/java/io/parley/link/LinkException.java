package io.parley.link;

/** A call that got no answer to use. */
public final class LinkException extends RuntimeException {
    /** What went wrong, for programs. */
    public enum Kind {
        /** The peer answered with an error; the message is its text. */
        REFUSED_BY_PEER,
        /** The peer answered with something that cannot be read. */
        BAD_ANSWER,
        TIMED_OUT,
        /** The connection ended before the answer came. */
        CLOSED,
        /** The message is larger than a frame may be. */
        TOO_BIG,
        TOO_MANY_CALLS
    }

    private final Kind kind;

    public LinkException(Kind kind, String message) {
        // Without a stack trace: it would show the event loop, and peers can cause these at will.
        super(message, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
