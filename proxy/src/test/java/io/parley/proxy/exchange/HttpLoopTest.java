package io.parley.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.parley.proxy.Surroundings;
import io.parley.proxy.balance.Clusters;
import io.parley.proxy.pool.Pools;
import io.parley.proxy.pool.WaitingTimes;
import io.parley.proxy.telemetry.Telemetry;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpLoopTest {
    private final EventLoop events = new DefaultEventLoop();
    private final AtomicInteger swept = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    @AfterEach
    void stop() {
        events.shutdownGracefully();
    }

    /** One that fails again and again until it is closed. */
    private final class Broken implements HttpLoop.Swept {
        @Override
        public void sweep(long now) {
            throw new IllegalStateException("as a test wants it");
        }

        @Override
        public void drain() {}

        @Override
        public void broke() {
            closed.incrementAndGet();
        }
    }

    /** One that counts. */
    private final class Sound implements HttpLoop.Swept {
        @Override
        public void sweep(long now) {
            swept.incrementAndGet();
        }

        @Override
        public void drain() {}
    }

    private HttpLoop loop(Overload overload) {
        Surroundings real = Surroundings.real();
        return new HttpLoop(
                events,
                real,
                new Clusters(real),
                new Telemetry(real.ticker()).http(),
                new Pools(
                        events,
                        (_, _, _, _, _) -> {},
                        (_, _, _) -> {
                            throw new IllegalStateException("nothing was dialled");
                        },
                        new WaitingTimes(() -> 0, (_, _) -> {})),
                (_, _, _) -> Account.NONE,
                overload);
    }

    @Test
    void oneThatFailsIsClosedAndKeepsNobodyFromTheirDeadlines() {
        HttpLoop loop = loop(new Overload(() -> 0, () -> {}, 0));
        events.execute(() -> {
            loop.add(new Broken());
            loop.add(new Sound());
            loop.start();
        });
        await().until(() -> swept.get() > 0 && closed.get() > 0);
    }

    @Test
    void itRestsWhileThereIsNothingToLookAfter() {
        AtomicInteger looks = new AtomicInteger();
        HttpLoop loop = loop(new Overload(() -> looks.incrementAndGet() * 0.0, () -> {}, 0));
        long before = System.nanoTime();
        events.execute(loop::start);
        await().until(() -> looks.get() >= 2);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(1_500));
    }

    /** Comes at the beginning of a rest, and leaves when it has been looked after; then it is another rest. */
    private final class Passing implements HttpLoop.Swept {
        private @Nullable HttpLoop loop;
        private boolean here;
        private long came;
        private volatile Duration shortest = Duration.ofDays(1);

        double look() {
            if (!here) {
                here = true;
                events.execute(() -> {
                    came = System.nanoTime();
                    Objects.requireNonNull(loop).add(this);
                });
            }
            return 0;
        }

        @Override
        public void sweep(long now) {
            Duration took = Duration.ofNanos(System.nanoTime() - came);
            shortest = took.compareTo(shortest) < 0 ? took : shortest;
            here = false;
            Objects.requireNonNull(loop).remove(this);
        }

        @Override
        public void drain() {}
    }

    /** The machine may be busy: one time of several it is soon. */
    @Test
    void whoComesWhileItRestsIsLookedAfterAsSoonAsEver() {
        Passing passing = new Passing();
        HttpLoop loop = loop(new Overload(passing::look, () -> {}, 0));
        passing.loop = loop;
        events.execute(loop::start);
        await().atMost(Duration.ofSeconds(30)).until(() -> passing.shortest.toMillis() < 700);
    }

    @Test
    void itDoesNotRestWhileMemoryIsScarce() {
        AtomicInteger looks = new AtomicInteger();
        HttpLoop loop = loop(new Overload(
                () -> {
                    looks.incrementAndGet();
                    return 1;
                },
                () -> {},
                0));
        events.execute(loop::start);
        await().until(() -> looks.get() > 0);
        int first = looks.get();
        long before = System.nanoTime();
        await().atMost(Duration.ofSeconds(30)).until(() -> looks.get() >= first + 20);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
    }
}
