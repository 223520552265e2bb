package io.parley.control.snapshot;

import static io.parley.control.draft.Protos.address;
import static io.parley.control.draft.Protos.ads;
import static io.parley.control.draft.Protos.number;

import io.envoyproxy.envoy.config.core.v3.CidrRange;
import io.envoyproxy.envoy.config.core.v3.TrafficDirection;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.parley.control.draft.Assembled;
import io.parley.control.draft.Flavor;
import io.parley.control.draft.OutboundDraft;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.draft.RouteDraft;
import io.parley.control.model.Protocol;
import io.parley.resource.mesh.TransparentProxying;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Listeners for what the workload sends. */
final class OutboundListeners {
    private static final String ANY_ADDRESS = "0.0.0.0";

    private OutboundListeners() {}

    static void add(ProxyDraft draft, Assembled assembled) {
        TransparentProxying transparent = draft.dataplane().spec().transparentProxying();
        Integer port = transparent == null ? null : transparent.redirectPortOutbound();
        for (OutboundDraft outbound : draft.outbounds()) {
            if (outbound.carriesHttp()) {
                assembled.routes().put(outbound.name(), routes(outbound.name(), outbound));
            }
        }
        if (port != null && port > 0) {
            Listener listener = transparent(draft, port, assembled);
            assembled.listeners().put(listener.getName(), listener);
        } else {
            for (OutboundDraft outbound : draft.outbounds()) {
                assembled.listeners().put(outbound.name(), explicit(outbound, draft));
            }
        }
    }

    static RouteConfiguration routes(String name, OutboundDraft outbound) {
        VirtualHost.Builder host = VirtualHost.newBuilder()
                .setName(outbound.destination().service())
                .addDomains("*");
        for (RouteDraft route : outbound.routes()) {
            host.addRoutes(route.route());
        }
        return RouteConfiguration.newBuilder()
                .setName(name)
                .addVirtualHosts(host)
                .build();
    }

    private static boolean isUndeclared(OutboundDraft outbound) {
        return outbound.protocol().value() == Protocol.DETECT;
    }

    private static Listener explicit(OutboundDraft outbound, ProxyDraft draft) {
        Listener.Builder listener = Listener.newBuilder()
                .setName(outbound.name())
                .setTrafficDirection(TrafficDirection.OUTBOUND)
                .setAddress(address(outbound.address(), outbound.port()));
        if (isUndeclared(outbound)) {
            Chains.inspectHttp(listener);
            Chains.letServersSpeakFirst(listener, draft.flavor());
        }
        chains(outbound, draft.flavor()).forEach(listener::addFilterChains);
        return listener.build();
    }

    private static Listener transparent(ProxyDraft draft, int port, Assembled assembled) {
        Listener.Builder listener = Listener.newBuilder()
                .setName("outbound")
                .setTrafficDirection(TrafficDirection.OUTBOUND)
                .setAddress(address(ANY_ADDRESS, port));
        Chains.restoreDestination(listener);
        Set<Integer> undeclared = draft.outbounds().stream()
                .filter(OutboundListeners::isUndeclared)
                .map(OutboundDraft::port)
                .collect(Collectors.toSet());
        if (!undeclared.isEmpty()) {
            Chains.inspectHttp(listener, undeclared, draft.flavor());
            Chains.letServersSpeakFirst(listener, draft.flavor());
        }
        for (OutboundDraft outbound : draft.outbounds()) {
            boolean six = outbound.address().indexOf(':') >= 0;
            CidrRange range = CidrRange.newBuilder()
                    .setAddressPrefix(outbound.address())
                    .setPrefixLen(number(six ? 128 : 32))
                    .build();
            for (FilterChain.Builder chain : chains(outbound, draft.flavor())) {
                chain.getFilterChainMatchBuilder().addPrefixRanges(range).setDestinationPort(number(outbound.port()));
                listener.addFilterChains(chain);
            }
        }
        if (draft.mesh().spec().passthrough()) {
            listener.setDefaultFilterChain(Chains.named(
                            ClusterFactory.PASS,
                            Map.of("protocol", "detect", "because", "the mesh lets unknown destinations pass"))
                    .addFilters(Chains.tcp(TcpProxy.newBuilder()
                            .setStatPrefix(ClusterFactory.PASS)
                            .setCluster(ClusterFactory.PASS)
                            .build())));
            assembled.clusters().put(ClusterFactory.PASS, ClusterFactory.pass());
        }
        return listener.build();
    }

    /** One for what is HTTP and one for what is not; both where nobody knows beforehand. Our own proxies find out in one. */
    private static List<FilterChain.Builder> chains(OutboundDraft outbound, Flavor flavor) {
        List<FilterChain.Builder> chains = new ArrayList<>();
        boolean both = outbound.carriesHttp() && outbound.carriesBytes() && flavor != Flavor.PARLEY;
        Map<String, String> extras =
                Chains.extras(outbound.protocol(), outbound.destination().service());
        if (!outbound.host().isEmpty()) {
            extras.put("host", outbound.host());
        }
        if (outbound.carriesHttp()) {
            outbound.http().getRdsBuilder().setConfigSource(ads()).setRouteConfigName(outbound.name());
            FilterChain.Builder chain = Chains.named(outbound.name() + (both ? ":http" : ""), extras);
            Chains.match(chain, both ? Chains.Detection.BY_FIRST_BYTES : Chains.Detection.NONE);
            chains.add(chain.addFilters(Chains.http(outbound.http(), outbound.httpFilters())));
        }
        if (both || !outbound.carriesHttp()) {
            chains.add(Chains.named(outbound.name(), extras)
                    .addFilters(Chains.tcp(outbound.tcp().build())));
        } else if (outbound.carriesBytes()) {
            chains.getFirst().addFilters(Chains.tcp(outbound.tcp().build()));
        }
        return chains;
    }
}
