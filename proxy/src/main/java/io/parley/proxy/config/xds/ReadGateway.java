package io.parley.proxy.config.xds;

import io.parley.proxy.config.ClusterShare;
import io.parley.proxy.config.Raw;
import io.parley.proxy.config.ServerTls.Demand;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a gateway's listener says.
 *
 * @param datagrams where datagrams go; null if the listener takes connections
 */
record ReadGateway(List<Branch> chains, @Nullable Datagrams datagrams) {
    /**
     * Some of the connections.
     *
     * @param at its path in the listener
     * @param serverNames that clients ask for; none means any
     * @param protocols of which clients must offer one; none means whatever they offer
     * @param tls null if the gateway does not end it
     */
    record Branch(
            String at,
            String name,
            Set<String> serverNames,
            Set<String> protocols,
            @Nullable Tls tls,
            Goal goal) {}

    /** Where connections go. */
    sealed interface Goal {
        /** Where routes say. */
        record Requests(Chain.Goal routes) implements Goal {}

        /** To one of these. */
        record Bytes(List<ClusterShare> clusters, Raw raw) implements Goal {}
    }

    /**
     * TLS with clients.
     *
     * @param certificates the names of secrets
     * @param clients who signs clients' certificates; null if none are asked for
     */
    record Tls(
            List<String> certificates,
            List<String> protocols,
            @Nullable ReadTrust clients,
            Demand demand) {
        /** Names of all secrets that are needed. */
        Stream<String> secrets() {
            return Stream.concat(
                    certificates.stream(),
                    clients instanceof ReadTrust.Named(var secret) ? Stream.of(secret) : Stream.empty());
        }
    }

    /** Datagrams of one client go to one of these. */
    record Datagrams(List<ClusterShare> clusters, Duration idle) {}

    ReadGateway {
        chains = List.copyOf(chains);
    }
}
