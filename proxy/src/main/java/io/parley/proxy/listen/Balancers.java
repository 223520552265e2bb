package io.parley.proxy.listen;

import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.Clusters;
import io.parley.proxy.telemetry.Telemetry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** The numbers of balancing under Linkerd's names, for each cluster that is configured now. */
final class Balancers {
    private static final String NAME = "outbound_tcp_balancer_";

    private Balancers() {}

    static void count(Clusters clusters, Telemetry telemetry) {
        telemetry.gauges(
                NAME + "endpoints",
                "Endpoints of a cluster: ready, or left out for a while.",
                List.of("cluster", "endpoint_state"),
                () -> endpoints(clusters, "left_out"));
        telemetry.gauges(
                NAME + "p2c_endpoints",
                "Endpoints of a cluster that are chosen from, and those that may be again.",
                List.of("cluster", "endpoint_state"),
                () -> endpoints(clusters, "pending"));
        telemetry.counters(
                NAME + "p2c_updates_total",
                "Endpoints that came to a cluster and went.",
                List.of("cluster", "op"),
                () -> updates(clusters));
        telemetry.counters(
                NAME + "queue_requests_total",
                "Requests that had to wait for a connection.",
                List.of("cluster"),
                () -> each(clusters, Cluster::queued));
        telemetry.gauges(
                NAME + "open_connections",
                "Connections to a cluster that are open or being opened.",
                List.of("cluster"),
                () -> each(clusters, Cluster::open));
        telemetry.gauges(
                NAME + "queue_length",
                "Connections to a cluster that are being opened, and requests that wait for one.",
                List.of("cluster"),
                () -> each(clusters, cluster -> cluster.pending() + (long) cluster.waiting()));
    }

    private static Map<List<String>, Long> endpoints(Clusters clusters, String others) {
        Map<List<String>, Long> states = new TreeMap<>(Balancers::inOrder);
        clusters.all().forEach(cluster -> {
            long usable = cluster.usable();
            states.put(List.of(cluster.name(), "ready"), usable);
            states.put(
                    List.of(cluster.name(), others),
                    Math.max(0, cluster.endpoints().size() - usable));
        });
        return states;
    }

    private static Map<List<String>, Long> updates(Clusters clusters) {
        Map<List<String>, Long> updates = new TreeMap<>(Balancers::inOrder);
        clusters.all().forEach(cluster -> {
            updates.put(List.of(cluster.name(), "Add"), cluster.added());
            updates.put(List.of(cluster.name(), "Remove"), cluster.removed());
        });
        return updates;
    }

    private static Map<List<String>, Long> each(Clusters clusters, ToLongFunction<Cluster> number) {
        Map<List<String>, Long> numbers = new TreeMap<>(Balancers::inOrder);
        clusters.all().forEach(cluster -> numbers.put(List.of(cluster.name()), number.applyAsLong(cluster)));
        return numbers;
    }

    private static int inOrder(List<String> one, List<String> other) {
        return String.join("\n", one).compareTo(String.join("\n", other));
    }
}
