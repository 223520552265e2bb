package io.parley.proxy.health;

import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.config.HttpUpstream.HealthCheck;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An endpoint and all that it is asked. It is healthy if every answer is. */
final class Patient {
    private static final Logger LOG = LoggerFactory.getLogger(Patient.class);

    private final String cluster;
    private final LiveEndpoint endpoint;
    private final List<HealthCheck> checks;
    private final List<Checkup> checkups;
    private boolean begun;

    Patient(Surgery surgery, Cluster cluster, LiveEndpoint endpoint, List<HealthCheck> checks) {
        this.cluster = cluster.name();
        this.endpoint = endpoint;
        this.checks = checks;
        this.checkups = checks.stream()
                .map(check -> new Checkup(
                        surgery, check, Probes.of(check.question(), surgery, cluster, endpoint), this::judge))
                .toList();
    }

    List<HealthCheck> checks() {
        return checks;
    }

    /** Begins to ask; only the first call does. */
    void begin() {
        if (!begun) {
            begun = true;
            checkups.forEach(Checkup::ask);
        }
    }

    private void judge() {
        boolean healthy = checkups.stream().allMatch(Checkup::isHealthy);
        if (healthy != endpoint.isHealthy()) {
            LOG.info(
                    "{} of {} {}",
                    endpoint,
                    cluster,
                    healthy ? "passes its health checks again" : "fails its health checks: others are preferred");
        }
        endpoint.healthy(healthy);
    }

    /** Nobody asks any more, so nothing is held against it. */
    void dismiss() {
        checkups.forEach(Checkup::stop);
        endpoint.healthy(true);
    }
}
