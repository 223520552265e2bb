package io.parley.proxy.health;

import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.config.HttpUpstream.HealthCheck;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All endpoints that are asked how they are. Lives on one event loop. */
public final class HealthChecks {
    private final Surgery surgery;
    private final Map<LiveEndpoint, Patient> patients = new HashMap<>();

    public HealthChecks(Surgery surgery) {
        this.surgery = surgery;
    }

    /** Asks the endpoints of these clusters from now on, and no others. May be called from anywhere. */
    public void update(Collection<Cluster> clusters) {
        List<Cluster> all = List.copyOf(clusters);
        surgery.loop().execute(() -> admit(all));
    }

    private void admit(List<Cluster> clusters) {
        Map<LiveEndpoint, Patient> before = new HashMap<>(patients);
        patients.clear();
        for (Cluster cluster : clusters) {
            List<HealthCheck> checks = cluster.http().healthChecks();
            for (LiveEndpoint endpoint : checks.isEmpty() ? List.<LiveEndpoint>of() : cluster.endpoints()) {
                Patient known = before.get(endpoint);
                if (known != null && known.checks().equals(checks)) {
                    before.remove(endpoint);
                    patients.put(endpoint, known);
                } else {
                    patients.put(endpoint, new Patient(surgery, cluster, endpoint, checks));
                }
            }
        }
        before.values().forEach(Patient::dismiss);
        patients.values().forEach(Patient::begin);
    }
}
