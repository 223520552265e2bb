package io.parley.control.draft;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.parley.agreement.reason.Decision;
import io.parley.control.model.Names;
import io.parley.control.model.Protocol;
import io.parley.resource.mesh.Inbound;
import java.util.ArrayList;
import java.util.List;

/** A port of the workload that others call. */
public final class InboundDraft {
    private final String name;
    private final Inbound inbound;
    private final Decision<Protocol> protocol;
    private final ClusterDraft cluster;
    private final TcpProxy.Builder tcp = TcpProxy.newBuilder();
    private final HttpConnectionManager.Builder http = HttpConnectionManager.newBuilder();
    private final Route.Builder route = Route.newBuilder();
    private final List<Filter> permissions = new ArrayList<>();
    private final List<Filter> networkFilters = new ArrayList<>();
    private final List<HttpFilter> httpFilters = new ArrayList<>();

    /**
     * An inbound.
     *
     * @param cluster the workload's own port
     */
    public InboundDraft(String name, Inbound inbound, Decision<Protocol> protocol, ClusterDraft cluster) {
        this.name = name;
        this.inbound = inbound;
        this.protocol = protocol;
        this.cluster = cluster;
        tcp.setStatPrefix(service()).setCluster(cluster.name());
        http.setStatPrefix(service());
        route.getMatchBuilder().setPrefix("/");
        route.getRouteBuilder().setCluster(cluster.name());
    }

    public String name() {
        return name;
    }

    public Inbound inbound() {
        return inbound;
    }

    public String service() {
        return inbound.tags().getOrDefault(Names.SERVICE, "");
    }

    public Decision<Protocol> protocol() {
        return protocol;
    }

    public boolean carriesHttp() {
        return protocol.value().isHttp() || protocol.value() == Protocol.DETECT;
    }

    public boolean carriesBytes() {
        return !protocol.value().isHttp();
    }

    public ClusterDraft cluster() {
        return cluster;
    }

    public Cluster.Builder application() {
        return cluster.cluster();
    }

    public TcpProxy.Builder tcp() {
        return tcp;
    }

    public HttpConnectionManager.Builder http() {
        return http;
    }

    public Route.Builder route() {
        return route;
    }

    /** What a connection with a certificate passes first: who it is decides. */
    public List<Filter> permissions() {
        return permissions;
    }

    /** What a connection passes before anything is forwarded, in this order. */
    public List<Filter> networkFilters() {
        return networkFilters;
    }

    /** What a request passes before it is forwarded, in this order. */
    public List<HttpFilter> httpFilters() {
        return httpFilters;
    }
}
