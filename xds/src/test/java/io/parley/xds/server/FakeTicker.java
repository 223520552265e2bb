package io.parley.xds.server;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

final class FakeTicker implements LongSupplier {
    private final AtomicLong now = new AtomicLong(1);

    @Override
    public long getAsLong() {
        return now.get();
    }

    void advance(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
