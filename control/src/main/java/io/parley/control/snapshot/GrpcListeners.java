package io.parley.control.snapshot;

import static io.parley.control.draft.Protos.address;
import static io.parley.control.draft.Protos.ads;
import static io.parley.control.draft.Protos.any;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import io.envoyproxy.envoy.config.core.v3.TrafficDirection;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.NonForwardingAction;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.parley.control.draft.Assembled;
import io.parley.control.draft.Filters;
import io.parley.control.draft.InboundDraft;
import io.parley.control.draft.OutboundDraft;
import io.parley.control.draft.ProxyDraft;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Listeners of programs that have no proxy: one per service that they call, one per port that they serve (gRFC A27, A36). */
final class GrpcListeners {
    private GrpcListeners() {}

    static void add(ProxyDraft draft, Assembled assembled) {
        for (OutboundDraft outbound : draft.outbounds()) {
            String service = outbound.destination().service();
            assembled.listeners().put(service, client(service, outbound));
            assembled.routes().put(service, asGrpcKnows(OutboundListeners.routes(service, outbound), outbound));
        }
        for (InboundDraft inbound : draft.inbounds()) {
            for (String host : askedFor(InboundListeners.listening(draft, inbound.inbound()))) {
                Listener listener = server(draft, inbound, host);
                assembled.listeners().put(listener.getName(), listener);
            }
        }
    }

    /** A server asks under the address that it binds, and most bind all there are: grpc-java always does, grpc-go by {@code [::]}. */
    private static Set<String> askedFor(String host) {
        Set<String> hosts = new LinkedHashSet<>(List.of("0.0.0.0", "::"));
        hosts.add(host);
        return hosts;
    }

    private static Listener client(String service, OutboundDraft outbound) {
        HttpConnectionManager.Builder http = HttpConnectionManager.newBuilder()
                .setStatPrefix(service)
                .addAllHttpFilters(known(outbound.httpFilters(), Filters.FAULT))
                .addHttpFilters(Filters.router());
        http.getCommonHttpProtocolOptionsBuilder().mergeFrom(outbound.http().getCommonHttpProtocolOptions());
        http.getRdsBuilder().setConfigSource(ads()).setRouteConfigName(service);
        Listener.Builder listener = Listener.newBuilder().setName(service);
        listener.getApiListenerBuilder().setApiListener(any(http.build()));
        return listener.build();
    }

    private static Listener server(ProxyDraft draft, InboundDraft inbound, String host) {
        int port = inbound.inbound().port();
        HttpConnectionManager.Builder http = HttpConnectionManager.newBuilder()
                .setStatPrefix(inbound.service())
                .addAllHttpFilters(known(inbound.httpFilters(), Filters.HTTP_RBAC))
                .addHttpFilters(Filters.router());
        http.getRouteConfigBuilder()
                .setName(inbound.name())
                .addVirtualHosts(VirtualHost.newBuilder()
                        .setName(inbound.service())
                        .addDomains("*")
                        .addRoutes(Route.newBuilder()
                                .setMatch(RouteMatch.newBuilder().setPrefix("/"))
                                .setNonForwardingAction(NonForwardingAction.getDefaultInstance())));
        FilterChain.Builder chain = Chains.named(inbound.name(), Chains.extras(inbound.protocol(), inbound.service()))
                .addFilters(Filters.network(Filters.HTTP, http.build()));
        if (draft.mesh().authority().isPresent()) {
            chain.setTransportSocket(TlsContexts.downstream(List.of("h2"), draft.flavor()));
        }
        String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return Listener.newBuilder()
                .setName("grpc/server?xds.resource.listening_address=" + shown + ":" + port)
                .setTrafficDirection(TrafficDirection.INBOUND)
                .setAddress(address(host, port))
                .addFilterChains(chain)
                .build();
    }

    /** A filter that gRPC does not know would make it refuse all of the listener. */
    private static List<HttpFilter> known(List<HttpFilter> filters, String name) {
        return filters.stream().filter(filter -> filter.getName().equals(name)).toList();
    }

    private static RouteConfiguration asGrpcKnows(RouteConfiguration routes, OutboundDraft outbound) {
        Duration longest = outbound.http().getCommonHttpProtocolOptions().getMaxStreamDuration();
        RouteConfiguration.Builder builder = routes.toBuilder();
        for (VirtualHost.Builder host : builder.getVirtualHostsBuilderList()) {
            for (Route.Builder route : host.getRoutesBuilderList()) {
                wholeSegments(route);
                deadline(route, longest);
            }
        }
        return builder.build();
    }

    /** gRPC knows no prefixes of whole segments; its paths are all of the form /service/method. */
    private static void wholeSegments(Route.Builder route) {
        if (route.getMatch().hasPathSeparatedPrefix()) {
            route.getMatchBuilder().setPrefix(route.getMatch().getPathSeparatedPrefix() + "/");
        }
    }

    /** gRPC does not look at a route's timeout, only at how long its streams may last, before it looks at the listener's (gRFC A31). */
    private static void deadline(Route.Builder route, Duration longest) {
        Duration timeout = route.getRoute().getTimeout();
        boolean endless = timeout.equals(Duration.getDefaultInstance());
        boolean listenersIsShorter =
                !longest.equals(Duration.getDefaultInstance()) && Durations.compare(longest, timeout) < 0;
        if (!endless && !listenersIsShorter) {
            route.getRouteBuilder().getMaxStreamDurationBuilder().setMaxStreamDuration(timeout);
        }
    }
}
