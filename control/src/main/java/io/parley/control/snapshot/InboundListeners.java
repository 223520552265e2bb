package io.parley.control.snapshot;

import static io.parley.control.draft.Protos.address;
import static io.parley.control.draft.Protos.number;

import io.envoyproxy.envoy.config.core.v3.TrafficDirection;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.parley.control.draft.Assembled;
import io.parley.control.draft.Flavor;
import io.parley.control.draft.InboundDraft;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.model.Identities;
import io.parley.control.model.Protocol;
import io.parley.resource.mesh.DataplaneSpec;
import io.parley.resource.mesh.Inbound;
import io.parley.resource.mesh.Mtls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Listeners for what others send to the workload. */
final class InboundListeners {
    private static final String ANY_ADDRESS = "0.0.0.0";

    private final ProxyDraft draft;
    private final Optional<Mtls.Mode> tls;

    InboundListeners(ProxyDraft draft) {
        this.draft = draft;
        this.tls = draft.mesh().authority().map(Mtls.Authority::mode);
    }

    void add(Assembled assembled) {
        Optional<Integer> meshPort = draft.dataplane().meshPort();
        if (meshPort.isPresent() && !draft.inbounds().isEmpty()) {
            Listener listener = transparent(meshPort.get());
            assembled.listeners().put(listener.getName(), listener);
        } else {
            draft.inbounds().forEach(inbound -> assembled.listeners().put(inbound.name(), explicit(inbound)));
        }
        DataplaneSpec.Probes probes = draft.dataplane().spec().probes();
        if (probes != null) {
            Listener listener = probes(probes);
            assembled.listeners().put(listener.getName(), listener);
        }
    }

    /** Where a listener of a proxy at this address listens: an address can be bound, a host name cannot. */
    static String bindable(String address) {
        return address.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*") ? address : ANY_ADDRESS;
    }

    static String listening(ProxyDraft draft, Inbound inbound) {
        String own = inbound.address();
        return bindable(own == null ? draft.dataplane().spec().address() : own);
    }

    private Listener explicit(InboundDraft inbound) {
        Listener.Builder listener = listener(inbound.name())
                .setAddress(address(
                        listening(draft, inbound.inbound()), inbound.inbound().port()));
        inspectTls(listener);
        if (isUndeclared(inbound)) {
            Chains.inspectHttp(listener);
        }
        letServersSpeakFirst(listener, List.of(inbound));
        chains(inbound).forEach(listener::addFilterChains);
        return listener.build();
    }

    private Listener transparent(int port) {
        Listener.Builder listener = listener("inbound").setAddress(address(ANY_ADDRESS, port));
        Chains.restoreDestination(listener);
        inspectTls(listener);
        Set<Integer> undeclared = draft.inbounds().stream()
                .filter(InboundListeners::isUndeclared)
                .map(inbound -> inbound.inbound().port())
                .collect(Collectors.toSet());
        if (!undeclared.isEmpty()) {
            Chains.inspectHttp(listener, undeclared, draft.flavor());
        }
        letServersSpeakFirst(listener, draft.inbounds());
        for (InboundDraft inbound : draft.inbounds()) {
            for (FilterChain.Builder chain : chains(inbound)) {
                chain.getFilterChainMatchBuilder()
                        .setDestinationPort(number(inbound.inbound().port()));
                listener.addFilterChains(chain);
            }
        }
        return listener.build();
    }

    private static Listener.Builder listener(String name) {
        return Listener.newBuilder().setName(name).setTrafficDirection(TrafficDirection.INBOUND);
    }

    private static boolean isUndeclared(InboundDraft inbound) {
        return inbound.protocol().value() == Protocol.DETECT;
    }

    private void inspectTls(Listener.Builder listener) {
        if (tls.isPresent()) {
            Chains.inspectTls(listener);
        }
    }

    /** Where mutual TLS is strict clients begin, with their handshake; where all is HTTP, with a request. */
    private void letServersSpeakFirst(Listener.Builder listener, List<InboundDraft> inbounds) {
        boolean strict = tls.isPresent() && tls.get() == Mtls.Mode.STRICT;
        if (!strict
                && listener.getListenerFiltersCount() > 0
                && inbounds.stream().anyMatch(InboundDraft::carriesBytes)) {
            Chains.letServersSpeakFirst(listener, draft.flavor());
        }
    }

    private List<FilterChain.Builder> chains(InboundDraft inbound) {
        if (tls.isEmpty()) {
            return chains(inbound, false, false);
        }
        boolean permissive = tls.get() == Mtls.Mode.PERMISSIVE;
        List<FilterChain.Builder> chains = new ArrayList<>(chains(inbound, true, permissive));
        if (permissive && !isOurs()) {
            chains.addAll(chains(inbound, false, true));
        }
        return chains;
    }

    /** Our own proxies find out what a connection carries, and whether it is encrypted, in one chain. */
    private boolean isOurs() {
        return draft.flavor() == Flavor.PARLEY;
    }

    private List<FilterChain.Builder> chains(InboundDraft inbound, boolean encrypted, boolean permissive) {
        List<FilterChain.Builder> chains = new ArrayList<>();
        boolean both = inbound.carriesHttp() && inbound.carriesBytes() && !isOurs();
        String name = inbound.name() + (permissive && !encrypted ? ":plain" : "");
        if (inbound.carriesHttp()) {
            FilterChain.Builder chain = chain(name + (both ? ":http" : ""), inbound, encrypted, permissive);
            if (both) {
                Chains.match(chain, encrypted ? Chains.Detection.BY_ALPN : Chains.Detection.BY_FIRST_BYTES);
            }
            chains.add(chain.addFilters(Chains.http(manager(inbound), inbound.httpFilters())));
        }
        if (both || !inbound.carriesHttp()) {
            chains.add(chain(name, inbound, encrypted, permissive)
                    .addFilters(Chains.tcp(inbound.tcp().build())));
        } else if (inbound.carriesBytes()) {
            chains.getFirst().addFilters(Chains.tcp(inbound.tcp().build()));
        }
        return chains;
    }

    private FilterChain.Builder chain(String name, InboundDraft inbound, boolean encrypted, boolean permissive) {
        Map<String, String> extras = Chains.extras(inbound.protocol(), inbound.service());
        if (tls.isPresent()) {
            extras.put("tls", permissive ? "permissive" : "strict");
            extras.put("server_name", Identities.serverName(draft.mesh().name(), inbound.service()));
        }
        FilterChain.Builder chain = Chains.named(name, extras);
        if (encrypted) {
            chain.setTransportSocket(TlsContexts.downstream(
                            ClusterFactory.applicationProtocols(
                                    inbound.protocol().value()),
                            draft.flavor()))
                    .addAllFilters(inbound.permissions());
            if (permissive && !isOurs()) {
                chain.getFilterChainMatchBuilder().setTransportProtocol("tls");
            }
        }
        return chain.addAllFilters(inbound.networkFilters());
    }

    private HttpConnectionManager.Builder manager(InboundDraft inbound) {
        HttpConnectionManager.Builder http = inbound.http();
        if (!isOurs()) {
            // Ours know a caller by its certificate; Envoy by the field that it must be told to write.
            http.setForwardClientCertDetails(HttpConnectionManager.ForwardClientCertDetails.SANITIZE_SET);
            http.getSetCurrentClientCertDetailsBuilder().setUri(true);
        }
        http.getRouteConfigBuilder()
                .clearVirtualHosts()
                .setName(inbound.name())
                .addVirtualHosts(VirtualHost.newBuilder()
                        .setName(inbound.service())
                        .addDomains("*")
                        .addRoutes(inbound.route()));
        return http;
    }

    /** Paths of the workload that are shown without TLS, for those who check its health. */
    private Listener probes(DataplaneSpec.Probes probes) {
        String bound = bindable(draft.dataplane().spec().address());
        String name = "inbound:" + bound + ":" + probes.port();
        VirtualHost.Builder host = VirtualHost.newBuilder().setName("probes").addDomains("*");
        for (DataplaneSpec.Endpoint endpoint : probes.endpoints()) {
            draft.dataplane().spec().inbound().stream()
                    .filter(inbound -> inbound.port() == endpoint.inboundPort())
                    .findFirst()
                    .ifPresent(inbound -> host.addRoutes(probe(endpoint, inbound)));
        }
        HttpConnectionManager.Builder http = HttpConnectionManager.newBuilder().setStatPrefix("probes");
        http.getRouteConfigBuilder().setName(name).addVirtualHosts(host);
        return listener(name)
                .setAddress(address(bound, probes.port()))
                .addFilterChains(Chains.named(name, Map.of("protocol", "http1", "because", "health probes"))
                        .addFilters(Chains.http(http, List.of())))
                .build();
    }

    private static Route probe(DataplaneSpec.Endpoint endpoint, Inbound inbound) {
        Route.Builder route = Route.newBuilder();
        route.getMatchBuilder().setPath(endpoint.path() == null ? "/" : endpoint.path());
        route.getRouteBuilder()
                .setCluster(ClusterFactory.applicationName(inbound))
                .setPrefixRewrite(endpoint.inboundPath() == null ? "/" : endpoint.inboundPath());
        return route.build();
    }
}
