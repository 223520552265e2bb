package io.parley.proxy.http;

import java.util.List;
import java.util.stream.Stream;

/**
 * All routes of one way through the proxy, by host.
 *
 * @param judgesRequests whether access rules of a host or a route are enforced; there may be thousands of them, so nobody looks twice
 */
public record RouteTable(String name, List<VirtualHost> hosts, boolean judgesRequests) {
    public RouteTable {
        hosts = List.copyOf(hosts);
    }

    public RouteTable(String name, List<VirtualHost> hosts) {
        this(
                name,
                hosts,
                hosts.stream()
                        .anyMatch(host -> host.policies().judgeRequests()
                                || host.routes().stream()
                                        .anyMatch(route -> route.policies().judgeRequests())));
    }

    /** Names of the clusters that requests and their copies go to. */
    public Stream<String> clusterNames() {
        return hosts.stream()
                .flatMap(host -> host.routes().stream())
                .flatMap(route -> route.action().clusterNames());
    }
}
