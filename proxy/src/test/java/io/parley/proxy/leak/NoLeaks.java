package io.parley.proxy.leak;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class after which a buffer, or anything else that Netty counts references of, was dropped without being released.
 * Registered for every class by the service loader; the detector's level is set to paranoid by the build.
 */
public final class NoLeaks implements BeforeAllCallback, AfterAllCallback {
    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();
    private static final int COLLECTIONS = 3;
    private static final int TOUCHES = 64;

    @Override
    public void beforeAll(ExtensionContext context) {
        if (!(ResourceLeakDetectorFactory.instance() instanceof Recording)) {
            ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new Recording());
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        provokeReports();
        StringBuilder found = new StringBuilder();
        for (String leak = LEAKS.poll(); leak != null; leak = LEAKS.poll()) {
            found.append(leak).append('\n');
        }
        if (!found.isEmpty()) {
            throw new AssertionError("LEAK: " + found);
        }
    }

    /** A detector reports when something new is allocated after the lost one was collected. */
    static void provokeReports() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            for (int touch = 0; touch < TOUCHES; touch++) {
                ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(16);
                buffer.release();
            }
        }
    }

    static Queue<String> leaks() {
        return LEAKS;
    }

    private static final class Recording extends ResourceLeakDetectorFactory {
        @Override
        @Deprecated
        @SuppressWarnings("InlineMeSuggester")
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                Class<T> resource, int samplingInterval, long maxActive) {
            return newResourceLeakDetector(resource, samplingInterval);
        }

        @Override
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> resource, int samplingInterval) {
            return new ResourceLeakDetector<>(resource, samplingInterval) {
                @Override
                protected void reportTracedLeak(String resourceType, String records) {
                    LEAKS.add(resourceType + records);
                    super.reportTracedLeak(resourceType, records);
                }

                @Override
                protected void reportUntracedLeak(String resourceType) {
                    LEAKS.add(resourceType);
                    super.reportUntracedLeak(resourceType);
                }
            };
        }
    }
}
