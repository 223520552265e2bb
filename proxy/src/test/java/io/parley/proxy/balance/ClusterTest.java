package io.parley.proxy.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelException;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.ClusterConfig.Breaker;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClusterTest {
    private static final long SEED = 20261116;
    private static final Breaker BREAKER = new Breaker(10, 4, 3, Duration.ofSeconds(30), 50);

    private final Random random = new Random(SEED);
    private long now;

    @Test
    void connectionsAreSpreadEvenly() {
        Cluster cluster = cluster(4, new Breaker(10_000, 10_000, 5, Duration.ofSeconds(1), 50));
        Map<LiveEndpoint, Integer> counts = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            Attempt attempt = pick(cluster);
            attempt.connected();
            counts.merge(attempt.endpoint(), 1, Integer::sum);
        }
        assertThat(counts.values())
                .as("seed %d", SEED)
                .allSatisfy(count -> assertThat(count).isBetween(200, 300));
    }

    @Test
    void aSlowEndpointGetsLess() {
        Cluster cluster = cluster(2, BREAKER);
        LiveEndpoint slow = cluster.endpoints().getFirst();
        int slowPicks = 0;
        for (int i = 0; i < 200; i++) {
            Attempt attempt = pick(cluster);
            now += attempt.endpoint().equals(slow)
                    ? Duration.ofMillis(500).toNanos()
                    : Duration.ofMillis(1).toNanos();
            slowPicks += attempt.endpoint().equals(slow) ? 1 : 0;
            attempt.connected();
            attempt.closed();
        }
        assertThat(slowPicks).as("seed %d", SEED).isLessThan(20);
    }

    @Test
    void anEndpointThatFailsInARowIsLeftOutForAWhile() {
        Cluster cluster = cluster(2, BREAKER);
        LiveEndpoint bad = cluster.endpoints().getFirst();
        failInARow(cluster, bad, 3);
        assertThat(bad.isEjected(now)).isTrue();
        for (int i = 0; i < 50; i++) {
            Attempt attempt = pick(cluster);
            assertThat(attempt.endpoint()).isNotEqualTo(bad);
            attempt.closed();
        }
        now += Duration.ofSeconds(31).toNanos();
        assertThat(bad.isEjected(now)).isFalse();
    }

    @Test
    void noMoreThanTheAllowedShareIsLeftOut() {
        Cluster cluster = cluster(2, BREAKER);
        List<LiveEndpoint> all = cluster.endpoints();
        failInARow(cluster, all.get(0), 3);
        failInARow(cluster, all.get(1), 3);
        assertThat(all).filteredOn(endpoint -> endpoint.isEjected(now)).hasSize(1);
    }

    @Test
    void theOnlyEndpointIsTriedEvenIfItFails() {
        Cluster cluster = cluster(1, new Breaker(10, 10, 1, Duration.ofSeconds(30), 100));
        failInARow(cluster, cluster.endpoints().getFirst(), 1);
        assertThat(pick(cluster).endpoint().isEjected(now)).isTrue();
    }

    @Test
    void openAndPendingConnectionsAreLimited() {
        Cluster cluster = cluster(2, BREAKER);
        List<Attempt> pending =
                IntStream.range(0, 4).mapToObj(_ -> pick(cluster)).toList();
        assertThat(cluster.pick(Set.of())).isInstanceOf(Pick.Refused.class);
        pending.forEach(Attempt::connected);
        List<Attempt> open = new ArrayList<>(pending);
        for (int i = 4; i < 10; i++) {
            Attempt attempt = pick(cluster);
            attempt.connected();
            open.add(attempt);
        }
        assertThat(cluster.pick(Set.of())).isInstanceOf(Pick.Refused.class);
        open.forEach(Attempt::closed);
        open.forEach(Attempt::closed);
        assertThat(cluster.open()).isZero();
        assertThat(cluster.pick(Set.of())).isInstanceOf(Pick.Chosen.class);
    }

    @Test
    void anEndpointThatStaysKeepsItsConnectionsAcrossAnUpdate() {
        Cluster cluster = cluster(2, BREAKER);
        Attempt attempt = pick(cluster);
        attempt.connected();
        cluster.update(config(3, BREAKER));
        assertThat(cluster.endpoints()).hasSize(3).contains(attempt.endpoint());
        cluster.update(config(0, BREAKER));
        assertThat(cluster.pick(Set.of())).isInstanceOf(Pick.Refused.class);
    }

    @Test
    void anEndpointIsBlamedForItsAnswersAndNotForClientsThatLeave() {
        HttpUpstream twice = new HttpUpstream(Version.HTTP1, null, 100, new HttpUpstream.Outliers(2, 2), List.of());
        ClusterConfig config = config(2, BREAKER);
        Cluster cluster = new Cluster(
                new ClusterConfig("test", config.endpoints(), BREAKER, twice, config.balancing(), null, null),
                () -> now,
                () -> random);
        LiveEndpoint left = cluster.endpoints().getFirst();
        LiveEndpoint bad = cluster.endpoints().getLast();
        for (int i = 0; i < 3; i++) {
            cluster.enter(left);
            cluster.leave(left);
            cluster.enter(bad);
            cluster.judge(bad, 503);
            cluster.leave(bad);
        }
        assertThat(left.isEjected(now)).isFalse();
        assertThat(bad.isEjected(now)).isTrue();
        assertThat(cluster.requests()).isZero();
    }

    @Test
    void anEndpointIsNotBlamedWhenThisMachineHasNoSocketLeft() {
        Cluster cluster = cluster(2, BREAKER);
        LiveEndpoint first = cluster.endpoints().getFirst();
        failInARow(cluster, first, 100, new ChannelException("too many open files"));
        assertThat(first.isEjected(now)).isFalse();
        assertThat(cluster.open()).isZero();
    }

    private static void failInARow(Cluster cluster, LiveEndpoint bad, int times) {
        failInARow(cluster, bad, times, new IOException("refused"));
    }

    private static void failInARow(Cluster cluster, LiveEndpoint bad, int times, Exception cause) {
        List<LiveEndpoint> others =
                cluster.endpoints().stream().filter(e -> !e.equals(bad)).toList();
        for (int i = 0; i < times; i++) {
            ((Pick.Chosen) cluster.pick(others)).attempt().failed(cause);
        }
    }

    private static Attempt pick(Cluster cluster) {
        return ((Pick.Chosen) cluster.pick(Set.of())).attempt();
    }

    private Cluster cluster(int endpoints, Breaker breaker) {
        return new Cluster(config(endpoints, breaker), () -> now, () -> random);
    }

    private static ClusterConfig config(int endpoints, Breaker breaker) {
        return new ClusterConfig(
                "test",
                IntStream.range(0, endpoints)
                        .mapToObj(i -> Endpoint.plain(new InetSocketAddress("192.0.2.1", 1_000 + i)))
                        .toList(),
                breaker);
    }
}
