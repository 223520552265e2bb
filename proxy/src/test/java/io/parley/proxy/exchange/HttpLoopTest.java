package io.parley.proxy.exchange;

import static org.awaitility.Awaitility.await;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.parley.proxy.Surroundings;
import io.parley.proxy.balance.Clusters;
import io.parley.proxy.pool.Pools;
import io.parley.proxy.pool.WaitingTimes;
import io.parley.proxy.telemetry.Telemetry;
import java.util.concurrent.atomic.AtomicInteger;
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

    @Test
    void oneThatFailsIsClosedAndKeepsNobodyFromTheirDeadlines() {
        Surroundings real = Surroundings.real();
        HttpLoop loop = new HttpLoop(
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
                new Overload(() -> 0, () -> {}, 0));
        events.execute(() -> {
            loop.add(new Broken());
            loop.add(new Sound());
            loop.start();
        });
        await().until(() -> swept.get() > 0 && closed.get() > 0);
    }
}
