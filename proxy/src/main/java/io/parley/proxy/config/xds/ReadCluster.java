package io.parley.proxy.config.xds;

import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.ClusterConfig.Breaker;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as its resource says, before its endpoints are known.
 *
 * @param peer how its endpoints are spoken to; null if in clear
 */
record ReadCluster(
        String name,
        Members members,
        Breaker breaker,
        @Nullable Peer peer) {
    /** Where its endpoints come from. */
    sealed interface Members {
        /** From the endpoint resource of this name. */
        record Discovered(String service) implements Members {}

        /** From the cluster itself. */
        record Listed(List<ReadEndpoint> endpoints) implements Members {}

        /** It is whatever the client dialled. */
        record AsDialled() implements Members {}
    }

    /**
     * Mutual TLS.
     *
     * @param identity whom an endpoint must be that does not name itself; null if each must
     * @param serverName what to ask for; empty if the identity says
     */
    record Peer(@Nullable SpiffeId identity, String serverName) {}
}
