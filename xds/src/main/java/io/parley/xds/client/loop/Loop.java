package io.parley.xds.client.loop;

import java.time.Duration;

/**
 * A single thread of control. Whatever is given to it runs in the order given, one thing at a time, so that what is only touched
 * from here needs no locks. Tests give one whose time they move.
 */
public interface Loop {
    /** Runs the task after everything that was given before. */
    void execute(Runnable task);

    /** Runs the task once the delay has passed. */
    Timer after(Duration delay, Runnable task);

    /** Whether the caller runs on this loop. */
    boolean isCurrent();

    /** A clock for measuring, with an arbitrary origin. */
    long nanoTime();

    /** Fails loudly if state is touched from elsewhere: confinement is checked, not hoped for. */
    default void check() {
        if (!isCurrent()) {
            throw new IllegalStateException("called off its loop: " + Thread.currentThread());
        }
    }

    /** Something that is going to happen. */
    interface Timer {
        /** Keeps it from happening; does nothing if it has. */
        void cancel();
    }
}
