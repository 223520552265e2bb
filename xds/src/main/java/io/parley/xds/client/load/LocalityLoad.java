package io.parley.xds.client.load;

import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.endpoint.v3.EndpointLoadMetricStats;
import io.envoyproxy.envoy.config.endpoint.v3.UpstreamLocalityStats;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the calls to one locality of a cluster, from any thread. */
public final class LocalityLoad {
    private final Locality locality;
    private final LongAdder issued = new LongAdder();
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder inProgress = new LongAdder();
    private final Map<String, Metric> metrics = new ConcurrentHashMap<>();

    /** How a call ended. */
    public enum Outcome {
        SUCCESS,
        FAILURE
    }

    LocalityLoad(Locality locality) {
        this.locality = locality;
    }

    public void started() {
        issued.increment();
        inProgress.increment();
    }

    public void finished(Outcome outcome) {
        inProgress.decrement();
        switch (outcome) {
            case SUCCESS -> succeeded.increment();
            case FAILURE -> failed.increment();
        }
    }

    /** A backend told this of a call that has finished, under this name (ORCA's named metrics). */
    public void measured(String metric, double value) {
        metrics.computeIfAbsent(metric, _ -> new Metric()).add(value);
    }

    /** What happened since the last time, and what is going on; nothing if nothing did or is. */
    Optional<UpstreamLocalityStats> takeReport() {
        UpstreamLocalityStats.Builder report = UpstreamLocalityStats.newBuilder()
                .setTotalIssuedRequests(issued.sumThenReset())
                .setTotalSuccessfulRequests(succeeded.sumThenReset())
                .setTotalErrorRequests(failed.sumThenReset())
                .setTotalRequestsInProgress(Math.max(0, inProgress.sum()));
        metrics.forEach((name, metric) -> metric.take(name).ifPresent(report::addLoadMetricStats));
        return report.build().equals(UpstreamLocalityStats.getDefaultInstance())
                ? Optional.empty()
                : Optional.of(report.setLocality(locality).build());
    }

    /** Count and sum belong together: taken between the two, an average would be wrong. */
    private static final class Metric {
        private long count;
        private double sum;

        synchronized void add(double value) {
            count++;
            sum += value;
        }

        synchronized Optional<EndpointLoadMetricStats> take(String name) {
            if (count == 0) {
                return Optional.empty();
            }
            EndpointLoadMetricStats taken = EndpointLoadMetricStats.newBuilder()
                    .setMetricName(name)
                    .setNumRequestsFinishedWithMetric(count)
                    .setTotalMetricValue(sum)
                    .build();
            count = 0;
            sum = 0;
            return Optional.of(taken);
        }
    }
}
