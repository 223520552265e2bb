package io.parley.proxy.config.xds;

import io.parley.agreement.reason.Decision;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Raw;
import io.parley.proxy.config.xds.http.HttpReading;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a filter chain says.
 *
 * @param at its path in the listener
 * @param match which connections it is for
 * @param service what people call it
 * @param endsTls whether members of the mesh speak TLS to it
 * @param goal where the connections go
 * @param bytes what holds for those that are not HTTP; null if nothing is said
 */
record Chain(
        String at,
        Match match,
        String service,
        Decision<Protocol> declared,
        Authorization authorization,
        boolean endsTls,
        Limits limits,
        Goal goal,
        @Nullable Bytes bytes) {
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

        /** The same for the same connections, wherever among others the chain stands, and another one for any others. */
        String text() {
            Stream<String> dialled =
                    addresses.stream().map(InetAddress::getHostAddress).sorted();
            return Stream.of(dialled, Stream.of("port " + port), names.stream().sorted())
                    .flatMap(part -> part)
                    .collect(Collectors.joining(" "));
        }
    }

    /**
     * What a tcp_proxy says: alone, or after a connection manager for bytes that turn out not to be HTTP.
     *
     * @param cluster where they go
     */
    record Bytes(String cluster, Raw raw) {}

    Raw raw() {
        return bytes == null ? Raw.NONE : bytes.raw;
    }

    /** Where connections go. */
    sealed interface Goal {
        /** To a cluster. */
        record ToCluster(String name) implements Goal {}

        /** Where the routes of this name say, and what else holds for HTTP. */
        record ByRoutes(String name, HttpReading.Manager http) implements Goal {}

        /** Where these routes say, and what else holds for HTTP. */
        record Inline(ReadRoutes routes, HttpReading.Manager http) implements Goal {}
    }
}
