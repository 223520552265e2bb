package io.parley.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.tls.NoCertificateException;
import io.parley.wire.header.SessionProtocol;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nobody who waits for a connection is forgotten when one cannot be had. */
class PoolTest {
    private final EmbeddedChannel timers = new EmbeddedChannel();
    private final EventLoop loop = timers.eventLoop();
    private final ArrayDeque<Dialling.Outcome> dials = new ArrayDeque<>();
    private int dialled;

    private final List<String> waits = new ArrayList<>();
    private final List<Upstream> made = new ArrayList<>();
    private List<Endpoint> endpoints =
            List.of(Endpoint.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80)));
    private Cluster cluster = cluster(10);
    private boolean permitted = true;
    private long now;

    @AfterEach
    void stop() {
        timers.close();
    }

    private Cluster cluster(int maxConnections) {
        return new Cluster(
                new ClusterConfig(
                        "orders",
                        endpoints,
                        new ClusterConfig.Breaker(maxConnections, 100, 2, Duration.ofSeconds(30), 100)),
                () -> 0L,
                () -> new Random(1));
    }

    private Upstream made(Channel channel, Version spoken) {
        Upstream upstream = new TakenUpstream((EmbeddedChannel) channel, spoken == Version.HTTP2);
        made.add(upstream);
        return upstream;
    }

    private Pool pool(Version version, int maxConnections, Dialling dialling) {
        return pool(version, maxConnections, dialling, (_, channel, spoken) -> made(channel, spoken));
    }

    private Pool pool(Version version, int maxConnections, Dialling dialling, Pool.Factory factory) {
        cluster = cluster(maxConnections);
        return new Pool(
                loop,
                dialling,
                factory,
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
        return pool(version, maxConnections, new Dials());
    }

    /** Dials that end when the test has them end. */
    private final class Dials implements Dialling {
        @Override
        public boolean permits(Endpoint endpoint) {
            return permitted;
        }

        @Override
        public void dial(
                EventLoop on,
                Endpoint endpoint,
                @Nullable Duration connect,
                @Nullable SessionProtocol protocol,
                Outcome outcome) {
            dialled++;
            dials.add(outcome);
        }
    }

    /** With a connection that has no room, and a dial under way for one who waits. */
    private Pool full() {
        Pool pool = pool(Version.HTTP2, 10);
        pool.await(new RecordedWaiter());
        dials.remove().connected(new EmbeddedChannel());
        assertThat(dialled).as("another one for who still waits").isEqualTo(2);
        return pool;
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
        Pool pool = full();

        List<RecordedWaiter> waiters = await(pool, 2);
        dials.remove().failed(new IOException("refused"));

        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.told()).isEmpty());
        assertThat(dialled).as("not in the same breath").isEqualTo(2);
        timers.advanceTimeBy(50, TimeUnit.MILLISECONDS);
        timers.runScheduledPendingTasks();
        assertThat(dialled).isEqualTo(3);

        made.getFirst().close();
        dials.remove().failed(new IOException("refused"));
        assertThat(waiters)
                .as("with nothing left to share")
                .allSatisfy(waiter -> assertThat(waiter.told()).containsExactly("unavailable"));
    }

    @Test
    void aDialThatFailsAtOnceIsNotRepeatedInTheSameBreath() {
        timers.freezeTime();
        Pool pool = pool(Version.HTTP2, 10, (_, _, _, _, outcome) -> {
            dialled++;
            if (dialled == 1) {
                outcome.connected(new EmbeddedChannel());
            } else if (dialled == 2) {
                outcome.failed(new IOException("would come back to this proxy"));
            } else {
                throw new IllegalStateException("dialled again");
            }
        });
        RecordedWaiter waiter = new RecordedWaiter();

        pool.await(waiter);

        assertThat(dialled).isEqualTo(2);
        assertThat(waiter.told()).isEmpty();
    }

    @Test
    void anEndpointIsBlamedForADialThatFailsWhileAConnectionIsShared() {
        timers.freezeTime();
        Pool pool = full();
        dials.remove().failed(new IOException("refused"));
        assertThat(pool.endpoint().isEjected(0)).isFalse();

        timers.advanceTimeBy(50, TimeUnit.MILLISECONDS);
        timers.runScheduledPendingTasks();
        dials.remove().failed(new IOException("refused"));

        assertThat(pool.endpoint().isEjected(0)).as("after the second").isTrue();
        assertThat(cluster.pending()).isZero();
        assertThat(cluster.open()).isEqualTo(1);
    }

    @Test
    void whoMayShareAConnectionGoesToAnotherEndpointIfThereIsOne() {
        endpoints = List.of(
                endpoints.getFirst(), Endpoint.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 81)));
        Pool pool = full();
        List<RecordedWaiter> waiters = await(pool, 2);

        dials.remove().failed(new IOException("refused"));

        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.told()).containsExactly("unavailable"));
    }

    @Test
    void whoWaitsGetsNothingThatOthersLeaveOnceTheCertificateIsOver() {
        Pool pool = pool(Version.HTTP1, 1);
        List<RecordedWaiter> waiters = await(pool, 2);
        dials.remove().connected(new EmbeddedChannel());
        assertThat(waiters.getFirst().told()).containsExactly("ready");

        permitted = false;
        pool.offer(made.getFirst());

        assertThat(waiters.getLast().told()).containsExactly("hindered");
        permitted = true;
        assertThat(pool.take()).as("with a new certificate").isSameAs(made.getFirst());
    }

    @Test
    void nobodyWaitsToShareAConnectionOnceTheCertificateIsOver() {
        Pool pool = full();
        List<RecordedWaiter> waiters = await(pool, 2);

        permitted = false;
        dials.remove().failed(new NoCertificateException("this proxy's certificate expired"));

        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.told()).containsExactly("hindered"));
    }

    @Test
    void nobodyIsBlamedForADialThatThisMachineHasNothingFor() {
        Pool pool = pool(Version.HTTP1, 10);
        List<RecordedWaiter> waiters = await(pool, 3);

        dials.forEach(dial -> dial.failed(new ChannelException("too many open files")));

        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.told()).containsExactly("hindered"));
        assertThat(pool.endpoint().isEjected(0)).isFalse();
    }

    @Test
    void nothingIsCountedAnyMoreWhenNobodyWaitsAndNothingIsOpen() {
        Pool pool = pool(Version.HTTP1, 10);
        List<RecordedWaiter> waiters = await(pool, 4);
        assertThat(cluster.waiting()).isEqualTo(4);
        assertThat(cluster.pending()).isEqualTo(4);

        EmbeddedChannel open = new EmbeddedChannel();
        dials.remove().connected(open);
        dials.remove().failed(new IOException("refused"));
        dials.remove().failed(new ChannelException("too many open files"));
        pool.forget(waiters.getLast());
        assertThat(cluster.waiting()).isZero();
        assertThat(cluster.pending()).as("for one who has left").isEqualTo(1);
        assertThat(cluster.open()).isEqualTo(2);

        EmbeddedChannel unwanted = new EmbeddedChannel();
        dials.remove().connected(unwanted);
        open.close();
        unwanted.close();
        assertThat(cluster.pending()).isZero();
        assertThat(cluster.open()).isZero();
        assertThat(pool.endpoint().open()).isZero();
    }

    @Test
    void aConnectionThatIsResetAsItBeginsIsNotMissed() {
        Pool pool = pool(Version.HTTP2, 10, new Dials(), (here, channel, spoken) -> {
            Upstream upstream = made(channel, spoken);
            upstream.close();
            here.gone(upstream);
            return upstream;
        });
        RecordedWaiter waiter = new RecordedWaiter();
        pool.await(waiter);
        dials.remove().connected(new EmbeddedChannel());

        assertThat(pool.size()).isZero();
        assertThat(dialled).as("for who still waits").isEqualTo(2);
        pool.forget(waiter);
        dials.remove().failed(new IOException("refused"));
        assertThat(pool.isOver()).isTrue();
    }
}
