package io.parley.control.draft;

import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.parley.agreement.reason.Decision;
import io.parley.control.model.Protocol;
import io.parley.control.policy.Destination;
import java.util.ArrayList;
import java.util.List;

/** One place where the workload calls a service. */
public final class OutboundDraft {
    private final String name;
    private final String address;
    private final int port;
    private final Destination destination;
    private final Decision<Protocol> protocol;
    private String host = "";
    private final TcpProxy.Builder tcp = TcpProxy.newBuilder();
    private final HttpConnectionManager.Builder http = HttpConnectionManager.newBuilder();
    private final List<RouteDraft> routes = new ArrayList<>();
    private final List<HttpFilter> httpFilters = new ArrayList<>();

    /**
     * An outbound.
     *
     * @param name of its listener or chain, and of its routes
     */
    public OutboundDraft(String name, String address, int port, Destination destination, Decision<Protocol> protocol) {
        this.name = name;
        this.address = address;
        this.port = port;
        this.destination = destination;
        this.protocol = protocol;
        tcp.setStatPrefix(destination.service()).setCluster(destination.clusterName());
        http.setStatPrefix(destination.service());
    }

    public String name() {
        return name;
    }

    public String address() {
        return address;
    }

    public int port() {
        return port;
    }

    public Destination destination() {
        return destination;
    }

    /** The host name that leads here; empty if none does. */
    public String host() {
        return host;
    }

    public void name(String hostName) {
        host = hostName;
    }

    public Decision<Protocol> protocol() {
        return protocol;
    }

    /** Whether requests may be told apart here. */
    public boolean carriesHttp() {
        return protocol.value().isHttp() || protocol.value() == Protocol.DETECT;
    }

    /** Whether bytes may have to be forwarded as they are. */
    public boolean carriesBytes() {
        return !protocol.value().isHttp();
    }

    public TcpProxy.Builder tcp() {
        return tcp;
    }

    public HttpConnectionManager.Builder http() {
        return http;
    }

    /** What a request passes before it is forwarded, in this order. */
    public List<HttpFilter> httpFilters() {
        return httpFilters;
    }

    /** The first that fits a request takes it. */
    public List<RouteDraft> routes() {
        return routes;
    }
}
