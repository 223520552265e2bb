package io.parley.xds.client.load;

import com.google.protobuf.Duration;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts what becomes of the calls to one cluster, from any thread. Whoever asked for it closes it. */
public final class ClusterLoad implements AutoCloseable {
    private static final long NANOS = 1_000_000_000L;

    private final Key key;
    private final Map<Locality, LocalityLoad> localities = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> drops = new ConcurrentHashMap<>();
    private final LongAdder plainDrops = new LongAdder();
    private final AtomicInteger users = new AtomicInteger();
    private long since;

    record Key(String cluster, String service) {}

    ClusterLoad(Key key, long since) {
        this.key = key;
        this.since = since;
    }

    /** The counters of a locality. */
    public LocalityLoad locality(Locality locality) {
        return localities.computeIfAbsent(locality, LocalityLoad::new);
    }

    /** A call was dropped by the rule of this category. */
    public void dropped(String category) {
        drops.computeIfAbsent(category, name -> new LongAdder()).increment();
    }

    /** A call was dropped for another reason, such as a circuit breaker. */
    public void dropped() {
        plainDrops.increment();
    }

    /** The cluster is no longer used; what was counted is still reported once. */
    @Override
    public void close() {
        users.decrementAndGet();
    }

    void use() {
        users.incrementAndGet();
    }

    boolean isUnused() {
        return users.get() <= 0;
    }

    String cluster() {
        return key.cluster();
    }

    /** What happened since the last time, over the time that has really passed. */
    ClusterStats takeReport(long now) {
        ClusterStats.Builder report = ClusterStats.newBuilder()
                .setClusterName(key.cluster())
                .setClusterServiceName(key.service())
                .setLoadReportInterval(
                        Duration.newBuilder().setSeconds((now - since) / NANOS).setNanos((int)
                                ((now - since) % NANOS)));
        since = now;
        localities.values().forEach(load -> load.takeReport().ifPresent(report::addUpstreamLocalityStats));
        long total = plainDrops.sumThenReset();
        for (Map.Entry<String, LongAdder> drop : drops.entrySet()) {
            long count = drop.getValue().sumThenReset();
            total += count;
            if (count > 0) {
                report.addDroppedRequests(ClusterStats.DroppedRequests.newBuilder()
                        .setCategory(drop.getKey())
                        .setDroppedCount(count));
            }
        }
        return report.setTotalDroppedRequests(total).build();
    }
}
