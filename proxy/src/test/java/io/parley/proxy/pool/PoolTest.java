package io.parley.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nobody who waits for a connection is forgotten when one cannot be had. */
class PoolTest {
    private final EmbeddedChannel timers = new EmbeddedChannel();
    private final EventLoop loop = timers.eventLoop();
    private final ArrayDeque<Dialling.Outcome> dials = new ArrayDeque<>();
    private int dialled;

    private final List<String> waits = new ArrayList<>();
    private long now;

    @AfterEach
    void stop() {
        timers.close();
    }

    private Pool pool(Version version, int maxConnections, Dialling dialling) {
        Endpoint endpoint = Endpoint.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80));
        Cluster cluster = new Cluster(
                new ClusterConfig(
                        "orders",
                        List.of(endpoint),
                        new ClusterConfig.Breaker(maxConnections, 100, 5, Duration.ofSeconds(30), 50)),
                () -> 0L,
                () -> new Random(1));
        return new Pool(
                loop,
                dialling,
                (_, channel, spoken) -> new TakenUpstream((EmbeddedChannel) channel, spoken == Version.HTTP2),
                cluster,
                cluster.endpoints().getFirst(),
                version,
                new WaitingTimes(() -> now, (name, nanos) -> waits.add(name + " " + nanos)));
    }

    @Test
    void itIsTakenDownHowLongEachWaits() {
        Pool pool = pool(Version.HTTP1, 10);
        List<RecordedWaiter> waiters = await(pool, 3);
        now = 5;
        pool.forget(waiters.getFirst());
        now = 7;
        dials.remove().failed(new IOException("refused"));
        now = 9;
        dials.remove().connected(new EmbeddedChannel());
        assertThat(waits).containsExactly("orders 5", "orders 7", "orders 9");
    }

    private Pool pool(Version version, int maxConnections) {
        return pool(version, maxConnections, (_, _, _, _, outcome) -> {
            dialled++;
            dials.add(outcome);
        });
    }

    private static List<RecordedWaiter> await(Pool pool, int number) {
        List<RecordedWaiter> waiters =
                IntStream.range(0, number).mapToObj(_ -> new RecordedWaiter()).toList();
        waiters.forEach(pool::await);
        return waiters;
    }

    @Test
    void allWhoWouldHaveSharedAConnectionHearThatItCannotBeHad() {
        Pool pool = pool(Version.HTTP2, 10);
        List<RecordedWaiter> waiters = await(pool, 3);
        assertThat(dialled).isEqualTo(1);

        dials.remove().failed(new IOException("refused"));

        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.told()).containsExactly("unavailable"));
    }

    @Test
    void whoWaitsForWhatOthersLeaveIsDialledForWhenTheyGetNothing() {
        Pool pool = pool(Version.HTTP1, 1);
        List<RecordedWaiter> waiters = await(pool, 2);
        assertThat(dialled).isEqualTo(1);

        dials.remove().failed(new IOException("refused"));
        assertThat(waiters.getFirst().told()).containsExactly("unavailable");
        assertThat(dialled).isEqualTo(2);

        EmbeddedChannel channel = new EmbeddedChannel();
        dials.remove().connected(channel);
        assertThat(waiters.getLast().told()).containsExactly("ready");
        channel.close();
    }

    @Test
    void dialsThatFailAtOnceAreCountedOut() {
        Pool pool = pool(Version.HTTP1, 10, (_, _, _, _, outcome) -> {
            dialled++;
            outcome.failed(new IOException("refused"));
        });

        List<RecordedWaiter> waiters = await(pool, 50);

        assertThat(dialled).isEqualTo(50);
        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.told()).containsExactly("unavailable"));
    }

    /** The one that works has no room at the moment, and may have some in the next. */
    @Test
    void whoMayShareAConnectionWaitsOnWhenAnotherOneCannotBeHad() {
        timers.freezeTime();
        Pool pool = pool(Version.HTTP2, 10);
        EmbeddedChannel channel = new EmbeddedChannel();
        pool.await(new RecordedWaiter());
        dials.remove().connected(channel);
        assertThat(dialled).as("another one for who still waits").isEqualTo(2);

        List<RecordedWaiter> waiters = await(pool, 2);
        dials.remove().failed(new IOException("refused"));

        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.told()).isEmpty());
        assertThat(dialled).as("not in the same breath").isEqualTo(2);
        timers.advanceTimeBy(50, TimeUnit.MILLISECONDS);
        timers.runScheduledPendingTasks();
        assertThat(dialled).isEqualTo(3);

        channel.close();
        dials.remove().failed(new IOException("refused"));
        assertThat(waiters)
                .as("with nothing left to share")
                .allSatisfy(waiter -> assertThat(waiter.told()).containsExactly("unavailable"));
    }
}
