package io.parley.proxy.config;

import io.parley.agreement.reason.Decision;
import io.parley.proxy.http.HttpConfig;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where connections to one address go.
 *
 * @param name the service, for people and metrics
 * @param declared what the service's port carries, and who says so
 * @param cluster the name of the {@link ClusterConfig} that has its endpoints
 * @param http what holds for HTTP; null if every request goes to the cluster as it came
 * @param raw what holds for what is not HTTP
 */
public record OutboundTarget(
        String name,
        Decision<Protocol> declared,
        String cluster,
        @Nullable HttpConfig http,
        Raw raw) {
    /** Nothing more is said. */
    public OutboundTarget(String name, Decision<Protocol> declared, String cluster, @Nullable HttpConfig http) {
        this(name, declared, cluster, http, Raw.NONE);
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
