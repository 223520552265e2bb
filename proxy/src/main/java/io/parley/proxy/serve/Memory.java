package io.parley.proxy.serve;

import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/**
 * How much of the memory is in use for good. Of the heap that is known only right after it was collected: before, most of what is in it may be
 * garbage, and a heap that is full is how a heap usually is.
 */
final class Memory {
    private final List<MemoryPoolMXBean> heap;

    private Memory(List<MemoryPoolMXBean> heap) {
        this.heap = heap;
    }

    /** The memory of this process. */
    static Memory here() {
        return new Memory(ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                // The young ones are filled and emptied all the time.
                .filter(pool -> pool.isUsageThresholdSupported() && pool.isCollectionUsageThresholdSupported())
                .toList());
    }

    /** The share that is in use, of whatever is nearest to its end. */
    double used() {
        double most = outside();
        for (MemoryPoolMXBean pool : heap) {
            most = Math.max(most, share(pool));
        }
        return most;
    }

    /** A pool that has not been filled again since it was collected cannot be the one that runs out. */
    private static double share(MemoryPoolMXBean pool) {
        MemoryUsage then = pool.getCollectionUsage();
        MemoryUsage now = pool.getUsage();
        if (then == null || now == null || now.getMax() <= 0) {
            return 0;
        }
        return (double) Math.min(then.getUsed(), now.getUsed()) / now.getMax();
    }

    private static double outside() {
        long used = PlatformDependent.usedDirectMemory();
        long most = PlatformDependent.maxDirectMemory();
        return used < 0 || most <= 0 ? 0 : (double) used / most;
    }
}
