package io.parley.proxy.http;

import java.util.List;

/** All routes of one way through the proxy, by host. */
public record RouteTable(String name, List<VirtualHost> hosts) {
    public RouteTable {
        hosts = List.copyOf(hosts);
    }
}
