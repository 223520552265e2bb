package io.parley.proxy.config.xds;

import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.ClusterConfig.Breaker;
import io.parley.proxy.config.ClusterConfig.Unusable;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.UpstreamTls;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as its resource says, before its endpoints are known.
 *
 * @param peer the mutual TLS by which its endpoints are spoken to; null if there is none
 * @param outside the TLS that is not the mesh's; null if there is none
 * @param http how requests are sent to it, apart from the version
 * @param version of HTTP that is declared; null if nothing is
 * @param otherwise the version for endpoints that do not speak that one; null if all must
 * @param connect how long an endpoint may take to accept; null if nothing is said
 * @param turns whether endpoints are to be taken in turn
 */
record ReadCluster(
        String name,
        Members members,
        Breaker breaker,
        @Nullable Peer peer,
        @Nullable Outside outside,
        @Nullable Version version,
        @Nullable Version otherwise,
        HttpUpstream http,
        @Nullable Duration connect,
        Turns turns,
        @Nullable Unusable unusable) {
    /** Whether endpoints are to be taken in turn. */
    enum Turns {
        TAKEN,
        NOT_TAKEN
    }

    /**
     * TLS with a server that is no member of the mesh.
     *
     * @param own the name of the secret that has what the proxy shows; null if it shows nothing
     */
    record Outside(
            String serverName,
            ReadTrust trust,
            List<UpstreamTls.Name> names,
            List<String> protocols,
            @Nullable String own) {
        /** The same, whatever name the server has. */
        Outside withAnyName() {
            return new Outside(serverName, trust, List.of(new UpstreamTls.Name.Any()), protocols, own);
        }

        /** Names of all secrets that are needed. */
        Stream<String> secrets() {
            return Stream.concat(
                    Stream.ofNullable(own),
                    trust instanceof ReadTrust.Named(var secret) ? Stream.of(secret) : Stream.empty());
        }
    }

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
