package io.parley.bench.sync;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Time, CPU and memory of this process. */
final class Meter {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private Meter() {}

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("not within " + LIMIT);
            }
            pause(Duration.ofMillis(1));
        }
    }

    static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    static long millis(long from) {
        return (System.nanoTime() - from) / 1_000_000;
    }

    static long cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    }
}
