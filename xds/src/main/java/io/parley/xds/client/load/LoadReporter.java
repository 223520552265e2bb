package io.parley.xds.client.load;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsResponse;
import io.parley.xds.client.loop.Loop;
import io.parley.xds.client.transport.LastingStream;
import io.parley.xds.client.transport.LastingStream.Retrying;
import io.parley.xds.client.transport.RpcMethod;
import io.parley.xds.client.transport.StreamEnd;
import io.parley.xds.client.transport.Transport;
import io.parley.xds.type.ApiVersion;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The load reporting stream to one server: it introduces itself, is told what to report and how often, and reports. When the
 * stream cannot take a report now, the next one covers the longer time.
 */
public final class LoadReporter implements LastingStream.Handler<LoadStatsResponse> {
    private static final Logger LOG = LoggerFactory.getLogger(LoadReporter.class);
    /** No server has a use for more, and a mistaken zero must not make the client spin. */
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

    private static final Duration LONGEST_INTERVAL = Duration.ofDays(1);

    private final LoadStore store;
    private final Node node;
    private final Loop loop;
    private final LastingStream<LoadStatsRequest, LoadStatsResponse> stream;
    private boolean introduced;
    private Duration interval = Duration.ZERO;
    private Predicate<String> wanted = cluster -> false;
    private Loop.@Nullable Timer timer;

    public LoadReporter(LoadStore store, Node node, ApiVersion version, Transport transport, Retrying retrying) {
        this.store = store;
        this.node = node;
        this.loop = retrying.loop();
        this.stream = new LastingStream<>(transport, RpcMethod.load(version), retrying, this);
    }

    /** Begins to report, unless it has begun. */
    public void start() {
        stream.open();
    }

    public void close() {
        stopTimer();
        stream.close("no load is reported any more");
    }

    @Override
    public boolean isNeeded() {
        return !store.isEmpty();
    }

    @Override
    public void opening() {
        introduced = false;
    }

    @Override
    public void ready() {
        if (!introduced && stream.isReady()) {
            introduced = true;
            stream.send(LoadStatsRequest.newBuilder().setNode(node).build());
        }
    }

    @Override
    public void received(LoadStatsResponse message, Runnable readNext) {
        Set<String> clusters = Set.copyOf(message.getClustersList());
        wanted = message.getSendAllClusters() ? cluster -> true : clusters::contains;
        Duration asked = bounded(message.getLoadReportingInterval());
        if (timer == null || !asked.equals(interval)) {
            stopTimer();
            interval = asked;
            timer = loop.after(interval, this::report);
        }
        readNext.run();
    }

    @Override
    public void ended(StreamEnd end, boolean answered, Duration untilNext) {
        stopTimer();
        LOG.info("Load reporting stream ended, {}; next in {}", end, untilNext);
    }

    private void report() {
        timer = loop.after(interval, this::report);
        if (stream.isReady()) {
            stream.send(LoadStatsRequest.newBuilder()
                    .setNode(node)
                    .addAllClusterStats(store.takeReports(wanted, loop.nanoTime()))
                    .build());
        }
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private static Duration bounded(com.google.protobuf.Duration asked) {
        if (asked.getSeconds() >= LONGEST_INTERVAL.toSeconds()) {
            return LONGEST_INTERVAL;
        }
        Duration interval = Duration.ofSeconds(Math.max(0, asked.getSeconds()), asked.getNanos());
        return interval.compareTo(SHORTEST_INTERVAL) < 0 ? SHORTEST_INTERVAL : interval;
    }
}
