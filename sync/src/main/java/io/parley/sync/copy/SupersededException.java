package io.parley.sync.copy;

/** Another stream of the same peer has taken over; what this one brought is not stored. */
public final class SupersededException extends RuntimeException {
    SupersededException(String message) {
        super(message);
    }
}
