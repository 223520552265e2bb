package io.parley.control.snapshot;

import static io.parley.control.draft.Protos.any;

import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.listener.v3.ListenerFilter;
import io.envoyproxy.envoy.extensions.filters.listener.http_inspector.v3.HttpInspector;
import io.envoyproxy.envoy.extensions.filters.listener.original_dst.v3.OriginalDst;
import io.envoyproxy.envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.control.draft.Filters;
import io.parley.control.draft.Flavor;
import io.parley.control.draft.Protos;
import io.parley.control.model.Protocol;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pieces of listeners that inbound and outbound ones share. */
final class Chains {
    private static final List<String> PLAIN_HTTP = List.of("http/1.0", "http/1.1", "h2c");
    private static final List<String> TLS_HTTP = List.of("h2", "http/1.1");

    /** Clients that speak first have spoken by then. */
    private static final Duration FIRST_BYTES = Duration.ofSeconds(1);

    private Chains() {}

    /** Whether a chain is for what turns out to be HTTP, and how that is told. */
    enum Detection {
        NONE,
        BY_FIRST_BYTES,
        BY_ALPN
    }

    static void match(FilterChain.Builder chain, Detection detection) {
        switch (detection) {
            case NONE -> {}
            case BY_FIRST_BYTES -> chain.getFilterChainMatchBuilder().addAllApplicationProtocols(PLAIN_HTTP);
            case BY_ALPN -> chain.getFilterChainMatchBuilder().addAllApplicationProtocols(TLS_HTTP);
        }
    }

    static Map<String, String> extras(Decision<Protocol> protocol, String service) {
        Map<String, String> extras = new TreeMap<>();
        extras.put("protocol", protocol.value().toString());
        extras.put("because", protocol.because());
        Source source = protocol.source();
        if (!source.resource().isEmpty()) {
            extras.put("source", source.resource() + (source.field().isEmpty() ? "" : "#" + source.field()));
        }
        extras.put("rule", source.rule());
        extras.put("service", service);
        return extras;
    }

    static Filter tcp(TcpProxy tcp) {
        return Filters.network(Filters.TCP_PROXY, tcp);
    }

    static Filter http(HttpConnectionManager.Builder http, List<HttpFilter> filters) {
        HttpConnectionManager.Builder whole = http.clone();
        whole.setCodecType(HttpConnectionManager.CodecType.AUTO)
                .clearHttpFilters()
                .addAllHttpFilters(filters)
                .addHttpFilters(Filters.router());
        if (whole.getUpgradeConfigsCount() == 0) {
            whole.addUpgradeConfigsBuilder().setUpgradeType("websocket");
        }
        return Filters.network(Filters.HTTP, whole.build());
    }

    /**
     * Who lets its server speak first sends nothing to be looked at, and Envoy closes its connection after 15 s unless it is told to go on
     * with what it knows.
     */
    static void waitForFirstBytes(Listener.Builder listener, Flavor flavor) {
        if (flavor == Flavor.ENVOY && listener.getListenerFiltersCount() > 0) {
            listener.setListenerFiltersTimeout(Protos.duration(FIRST_BYTES)).setContinueOnListenerFiltersTimeout(true);
        }
    }

    static void inspectHttp(Listener.Builder listener) {
        listener.addListenerFilters(ListenerFilter.newBuilder()
                .setName("envoy.filters.listener.http_inspector")
                .setTypedConfig(any(HttpInspector.getDefaultInstance())));
    }

    static void inspectTls(Listener.Builder listener) {
        listener.addListenerFilters(ListenerFilter.newBuilder()
                .setName("envoy.filters.listener.tls_inspector")
                .setTypedConfig(any(TlsInspector.getDefaultInstance())));
    }

    static void restoreDestination(Listener.Builder listener) {
        listener.addListenerFilters(ListenerFilter.newBuilder()
                .setName("envoy.filters.listener.original_dst")
                .setTypedConfig(any(OriginalDst.getDefaultInstance())));
    }

    static FilterChain.Builder named(String name, Map<String, String> extras) {
        return FilterChain.newBuilder().setName(name).setMetadata(Protos.extras(extras));
    }
}
