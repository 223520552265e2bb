package io.parley.store;

import java.time.Duration;

/** Settles which one of the instances that share a store leads. At no time do two believe that they do. */
public interface LeaderElection extends AutoCloseable {
    Role role();

    /** Waits until the role is another than this, or the time is over; returns the role then. */
    Role awaitChange(Role from, Duration timeout) throws InterruptedException;

    /** Steps down at once, so that another need not wait for the lease to run out. */
    @Override
    void close();

    /** For a store that only one process can open. */
    static LeaderElection alone() {
        return new AloneLeader();
    }
}
