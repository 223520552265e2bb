package io.parley.xds.client.load;

import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The counters of all clusters whose load one server wants to know. */
public final class LoadStore {
    private final Map<ClusterLoad.Key, ClusterLoad> clusters = new ConcurrentHashMap<>();

    /**
     * The counters of a cluster, to be closed by the caller.
     *
     * @param service name under which the cluster's endpoints are known, may be empty
     * @param now from when on time counts if the cluster is new
     */
    public ClusterLoad cluster(String cluster, String service, long now) {
        // In one step, so that the last user cannot leave in between and take the counters along.
        return clusters.compute(new ClusterLoad.Key(cluster, service), (key, known) -> {
            ClusterLoad load = known == null ? new ClusterLoad(key, now) : known;
            load.use();
            return load;
        });
    }

    boolean isEmpty() {
        return clusters.isEmpty();
    }

    /** Takes the report of each cluster that is wanted, and forgets clusters that nobody uses any more. */
    List<ClusterStats> takeReports(Predicate<String> wanted, long now) {
        List<ClusterStats> reports = new ArrayList<>();
        for (ClusterLoad.Key key : clusters.keySet()) {
            clusters.computeIfPresent(key, (same, load) -> {
                boolean last = load.isUnused();
                if (wanted.test(load.cluster())) {
                    reports.add(load.takeReport(now));
                }
                return last ? null : load;
            });
        }
        return reports;
    }
}
