package io.parley.store;

import org.jspecify.annotations.Nullable;

/** The one exception of every store; its {@link Failure} says what to do about it. */
public final class StoreException extends RuntimeException {
    private final transient Failure failure;

    public StoreException(Failure failure) {
        this(failure, null);
    }

    public StoreException(Failure failure, @Nullable Throwable cause) {
        super(failure.message(), cause);
        this.failure = failure;
    }

    public Failure failure() {
        return failure;
    }
}
