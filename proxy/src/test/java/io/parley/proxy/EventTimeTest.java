package io.parley.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class EventTimeTest {
    private static final LongSupplier TICKER = Surroundings.real().ticker();

    /** Two looks that the clock's own steps cannot make equal. */
    private static boolean goesOn() {
        long before = TICKER.getAsLong();
        long end = System.nanoTime() + 1_000_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        return TICKER.getAsLong() > before;
    }

    private static void onAnEventLoop(Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        new FastThreadLocalThread(() -> {
                    try {
                        task.run();
                        done.complete(null);
                    } catch (RuntimeException | AssertionError e) {
                        done.completeExceptionally(e);
                    }
                })
                .start();
        done.join();
    }

    @Test
    void standsStillDuringAnEventAndGoesOnInTheNext() {
        onAnEventLoop(() -> {
            EventTime.here().begin();
            assertThat(goesOn()).isFalse();
            long first = TICKER.getAsLong();
            EventTime.here().begin();
            assertThat(TICKER.getAsLong()).isGreaterThan(first);
            assertThat(goesOn()).isFalse();
        });
    }

    @Test
    void goesOnBetweenEvents() {
        onAnEventLoop(() -> {
            assertThat(goesOn()).isTrue();
            EventTime.here().begin();
            EventTime.here().end();
            assertThat(goesOn()).isTrue();
        });
    }

    @Test
    void goesOnElsewhereWhateverAnEventLoopDoes() {
        onAnEventLoop(() -> {
            EventTime.here().begin();
            assertThat(CompletableFuture.supplyAsync(EventTimeTest::goesOn).join())
                    .isTrue();
        });
    }
}
