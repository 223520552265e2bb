package io.parley.proxy.config;

import io.parley.agreement.reason.Decision;
import io.parley.proxy.http.HttpConfig;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where connections to one address go.
 *
 * @param name the service, for people and metrics
 * @param declared what the service's port carries, and who says so
 * @param cluster the name of the {@link ClusterConfig} that has its endpoints
 * @param http what holds for HTTP; null if every request goes to the cluster as it came
 * @param idle how long a connection that is not HTTP may carry nothing; null if the proxy's own time holds
 */
public record OutboundTarget(
        String name,
        Decision<Protocol> declared,
        String cluster,
        @Nullable HttpConfig http,
        @Nullable Duration idle) {
    /** The proxy's own idle time holds. */
    public OutboundTarget(String name, Decision<Protocol> declared, String cluster, @Nullable HttpConfig http) {
        this(name, declared, cluster, http, null);
    }

    /** Every request goes to the cluster as it came. */
    public OutboundTarget(String name, Decision<Protocol> declared, String cluster) {
        this(name, declared, cluster, null);
    }

    /** Names of the clusters that it refers to. */
    Stream<String> clusterNames() {
        return Stream.concat(
                Stream.of(cluster),
                http == null ? Stream.empty() : http.routes().clusterNames());
    }
}
