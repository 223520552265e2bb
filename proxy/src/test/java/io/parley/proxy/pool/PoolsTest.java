package io.parley.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.parley.proxy.Surroundings;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.Clusters;
import io.parley.proxy.config.HttpUpstream.Version;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pools live as long as somebody has something in them. */
class PoolsTest {
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final long LONG_AFTER = Duration.ofHours(1).toNanos();

    private final EventLoop loop = new DefaultEventLoop();
    private final ArrayDeque<Dialling.Outcome> dials = new ArrayDeque<>();
    private final Clusters clusters = new Clusters(Surroundings.real());
    private final Pools pools = new Pools(
            loop,
            (_, _, _, _, outcome) -> dials.add(outcome),
            PoolsTest::upstream,
            new WaitingTimes(() -> 0L, (_, _) -> {}));
    private final RecordedWaiter waiter = new RecordedWaiter();

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    private static Upstream upstream(Pool pool, Channel channel, Version version) {
        Upstream upstream = new TakenUpstream((EmbeddedChannel) channel, false);
        channel.closeFuture().addListener(_ -> pool.gone(upstream));
        return upstream;
    }

    private Pool pool(int port) {
        Cluster cluster = clusters.direct(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return pools.of(cluster, cluster.endpoints().getFirst(), Version.HTTP1);
    }

    @Test
    void poolsOfClustersThatNobodyRemembersAreForgotten() {
        for (int port = 1; port <= 1_100; port++) {
            pool(port).await(waiter);
            dials.remove().failed(new IOException("refused"));
        }
        assertThat(waiter.told()).hasSize(1_100);

        pools.sweep(0, IDLE);

        assertThat(pools.size()).isZero();
    }

    @Test
    void aPoolStaysWhileItHasAConnection() {
        Pool pool = pool(80);
        pool.await(waiter);
        pools.sweep(0, IDLE);
        assertThat(pool(80)).as("with one being opened").isSameAs(pool);

        dials.remove().connected(new EmbeddedChannel());
        pools.sweep(0, IDLE);
        assertThat(pool(80)).as("with one open").isSameAs(pool);

        pools.sweep(LONG_AFTER, IDLE);
        assertThat(pools.size()).as("after the last one was closed").isZero();
    }
}
