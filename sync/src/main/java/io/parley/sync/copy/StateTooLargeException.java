package io.parley.sync.copy;

/** A peer sends more of a kind than can be kept until it is whole. */
public final class StateTooLargeException extends RuntimeException {
    StateTooLargeException(String message) {
        super(message);
    }
}
