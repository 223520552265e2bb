package io.parley.proxy.http;

import java.util.List;
import java.util.stream.Stream;

/** All routes of one way through the proxy, by host. */
public record RouteTable(String name, List<VirtualHost> hosts) {
    public RouteTable {
        hosts = List.copyOf(hosts);
    }

    /** Names of the clusters that requests and their copies go to. */
    public Stream<String> clusterNames() {
        return hosts.stream()
                .flatMap(host -> host.routes().stream())
                .flatMap(route -> route.action().clusterNames());
    }
}
