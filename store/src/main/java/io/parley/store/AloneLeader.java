package io.parley.store;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Leads until closed. */
final class AloneLeader implements LeaderElection {
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public Role role() {
        return closed.getCount() > 0 ? Role.LEADER : Role.FOLLOWER;
    }

    @Override
    public Role awaitChange(Role from, Duration timeout) throws InterruptedException {
        if (role() == from) {
            var _ = closed.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
        }
        return role();
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
