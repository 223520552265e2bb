package io.parley.control.explain;

/** A question about something that is not there. No stack: it is an answer, not a fault. */
public final class UnknownName extends RuntimeException {
    public UnknownName(String message) {
        super(message, null, false, false);
    }
}
