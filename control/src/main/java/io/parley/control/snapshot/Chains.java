package io.parley.control.snapshot;

import static io.parley.control.draft.Protos.any;

import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.listener.v3.ListenerFilter;
import io.envoyproxy.envoy.config.listener.v3.ListenerFilterChainMatchPredicate;
import io.envoyproxy.envoy.extensions.filters.listener.http_inspector.v3.HttpInspector;
import io.envoyproxy.envoy.extensions.filters.listener.original_dst.v3.OriginalDst;
import io.envoyproxy.envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.envoyproxy.envoy.type.v3.Int32Range;
import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.control.draft.Filters;
import io.parley.control.draft.Flavor;
import io.parley.control.draft.Protos;
import io.parley.control.model.Protocol;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

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

    /** Plain connections go on without first bytes: whose server speaks first says nothing, and Envoy would close it after 15 s. */
    static void letServersSpeakFirst(Listener.Builder listener, Flavor flavor) {
        if (flavor == Flavor.ENVOY) {
            listener.setListenerFiltersTimeout(Protos.duration(FIRST_BYTES)).setContinueOnListenerFiltersTimeout(true);
        }
    }

    static void inspectHttp(Listener.Builder listener) {
        listener.addListenerFilters(ListenerFilter.newBuilder()
                .setName("envoy.filters.listener.http_inspector")
                .setTypedConfig(any(HttpInspector.getDefaultInstance())));
    }

    /** On a listener for several ports, of which these are the undeclared ones: connections to the others need not wait for it. */
    static void inspectHttp(Listener.Builder listener, Set<Integer> ports, Flavor flavor) {
        inspectHttp(listener);
        if (flavor == Flavor.ENVOY) {
            listener.getListenerFiltersBuilder(listener.getListenerFiltersCount() - 1)
                    .setFilterDisabled(ListenerFilterChainMatchPredicate.newBuilder()
                            .setNotMatch(oneOf(List.copyOf(new TreeSet<>(ports)))));
        }
    }

    private static ListenerFilterChainMatchPredicate oneOf(List<Integer> ports) {
        List<ListenerFilterChainMatchPredicate> each = ports.stream()
                .map(port -> ListenerFilterChainMatchPredicate.newBuilder()
                        .setDestinationPortRange(
                                Int32Range.newBuilder().setStart(port).setEnd(port + 1))
                        .build())
                .toList();
        // Envoy takes no set of one.
        return each.size() == 1
                ? each.getFirst()
                : ListenerFilterChainMatchPredicate.newBuilder()
                        .setOrMatch(ListenerFilterChainMatchPredicate.MatchSet.newBuilder()
                                .addAllRules(each))
                        .build();
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
