package io.parley.proxy.config;

import io.parley.proxy.http.HttpConfig;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a gateway does with some of the connections to a listener.
 *
 * @param name for people and metrics
 * @param serverNames which a client may ask for in its TLS handshake, {@code a.example} or {@code *.example}; none means any connection
 * @param protocols of which a client must offer one in that handshake; none means whatever it offers
 * @param tls how the gateway ends TLS; null if it does not
 */
public record GatewayChain(
        String name,
        Set<String> serverNames,
        Set<String> protocols,
        @Nullable ServerTls tls,
        Goal goal) {
    /** Where connections go. */
    public sealed interface Goal {
        /** Names of the clusters that it refers to. */
        default Stream<String> clusterNames() {
            return switch (this) {
                case Requests(var http) -> http.routes().clusterNames();
                case Bytes(var shares, var _) -> shares.stream().map(ClusterShare::cluster);
            };
        }

        /** Each request its own way. */
        record Requests(HttpConfig http) implements Goal {}

        /** Each connection as a whole, to one of these clusters. */
        record Bytes(List<ClusterShare> clusters, Raw raw) implements Goal {
            public Bytes {
                clusters = List.copyOf(clusters);
            }
        }
    }

    public GatewayChain {
        serverNames = Set.copyOf(serverNames);
        protocols = Set.copyOf(protocols);
    }
}
