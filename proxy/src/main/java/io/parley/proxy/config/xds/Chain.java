package io.parley.proxy.config.xds;

import io.parley.agreement.reason.Decision;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.xds.http.HttpReading;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a filter chain says.
 *
 * @param at its path in the listener
 * @param match which connections it is for
 * @param service what people call it
 * @param goal where the connections go
 */
record Chain(
        String at,
        Match match,
        String service,
        Decision<Protocol> declared,
        Authorization authorization,
        Limits limits,
        Goal goal) {
    /**
     * Which connections.
     *
     * @param addresses that were dialled; none means all
     * @param port that was dialled or is named in a connection header; 0 means all
     * @param names of services in a connection header; none means those without a name
     */
    record Match(Set<InetAddress> addresses, int port, List<String> names) {
        static final Match ALL = new Match(Set.of(), 0, List.of());

        Match {
            addresses = Set.copyOf(addresses);
            names = List.copyOf(names);
        }
    }

    /** How long a connection that is not HTTP may carry nothing; null if the chain does not say. */
    @Nullable
    Duration idle() {
        return goal instanceof Goal.ToCluster(var _, var idle) ? idle : null;
    }

    /** Where connections go. */
    sealed interface Goal {
        /**
         * To a cluster.
         *
         * @param idle how long a connection may carry nothing; null if the chain does not say
         */
        record ToCluster(String name, @Nullable Duration idle) implements Goal {}

        /** Where the routes of this name say, and what else holds for HTTP. */
        record ByRoutes(String name, HttpReading.Manager http) implements Goal {}

        /** Where these routes say, and what else holds for HTTP. */
        record Inline(ReadRoutes routes, HttpReading.Manager http) implements Goal {}
    }
}
