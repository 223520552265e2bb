package io.parley.control.gateway.xds;

import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Routes by the host names under which they are reached, each host's in the order in which they are tried. */
final class VirtualHosts {
    private static final int MISDIRECTED = 421;

    private final Map<String, List<Piece>> byName = new TreeMap<>();

    /** A name under which there is something, if only the answer that there is nothing. */
    void add(String name) {
        byName.computeIfAbsent(name, _ -> new ArrayList<>());
    }

    void add(String name, List<Piece> pieces) {
        byName.computeIfAbsent(name, _ -> new ArrayList<>()).addAll(pieces);
    }

    /**
     * All of them.
     *
     * @param misdirected names that are another listener's: whoever asks for them here is told so (RFC 9110 15.5.20)
     */
    RouteConfiguration build(String name, List<String> misdirected) {
        RouteConfiguration.Builder configuration =
                RouteConfiguration.newBuilder().setName(name);
        byName.forEach((domain, pieces) -> {
            VirtualHost.Builder host =
                    configuration.addVirtualHostsBuilder().setName(domain).addDomains(domain);
            Collections.sort(pieces);
            pieces.forEach(piece -> host.addRoutes(piece.route()));
        });
        for (String domain : misdirected) {
            if (!byName.containsKey(domain)) {
                configuration
                        .addVirtualHostsBuilder()
                        .setName("misdirected:" + domain)
                        .addDomains(domain)
                        .addRoutes(refusal());
            }
        }
        return configuration.build();
    }

    private static Route refusal() {
        Route.Builder route = Route.newBuilder()
                .setName("misdirected")
                .setMatch(RouteMatch.newBuilder().setPrefix("/"));
        route.getDirectResponseBuilder().setStatus(MISDIRECTED);
        return route.build();
    }
}
