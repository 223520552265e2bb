package io.parley.xds.client.load;

import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.endpoint.v3.UpstreamLocalityStats;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Counts the calls to one locality of a cluster, from any thread. */
public final class LocalityLoad {
    private final Locality locality;
    private final LongAdder issued = new LongAdder();
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder inProgress = new LongAdder();

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

    /** What happened since the last time, and what is going on; nothing if nothing did or is. */
    Optional<UpstreamLocalityStats> takeReport() {
        UpstreamLocalityStats report = UpstreamLocalityStats.newBuilder()
                .setTotalIssuedRequests(issued.sumThenReset())
                .setTotalSuccessfulRequests(succeeded.sumThenReset())
                .setTotalErrorRequests(failed.sumThenReset())
                .setTotalRequestsInProgress(Math.max(0, inProgress.sum()))
                .build();
        return report.equals(UpstreamLocalityStats.getDefaultInstance())
                ? Optional.empty()
                : Optional.of(report.toBuilder().setLocality(locality).build());
    }
}
