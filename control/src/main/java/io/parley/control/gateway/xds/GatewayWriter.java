package io.parley.control.gateway.xds;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.core.v3.TrafficDirection;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.parley.agreement.backend.RouteKind;
import io.parley.agreement.backend.Transport;
import io.parley.control.draft.Protos;
import io.parley.control.gateway.attach.CheckedGateway;
import io.parley.control.gateway.attach.CheckedListener;
import io.parley.control.gateway.attach.Hostnames;
import io.parley.control.gateway.attach.ListenerProtocol;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.route.Reached;
import io.parley.control.gateway.route.ResolvedRoute;
import io.parley.control.gateway.route.ResolvedRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Writes what one gateway is told. */
public final class GatewayWriter {
    private static final List<String> HTTP_ALPN = List.of("h2", "http/1.1");

    private static final Comparator<ResolvedRoute> AGE =
            Comparator.comparing(ResolvedRoute::created).thenComparing(ResolvedRoute::name);

    private record Port(int number, Transport transport) {}

    private final CheckedGateway gateway;
    private final List<BoundRoute> routes;
    private final Pieces pieces;
    private final GatewayMessages messages = new GatewayMessages();

    private GatewayWriter(CheckedGateway gateway, List<BoundRoute> routes, Pieces pieces) {
        this.gateway = gateway;
        this.routes = routes;
        this.pieces = pieces;
    }

    public static GatewayMessages write(CheckedGateway gateway, List<BoundRoute> routes, Pieces pieces) {
        return new GatewayWriter(gateway, routes, pieces).write();
    }

    private GatewayMessages write() {
        if (!gateway.isServed()) {
            return messages;
        }
        Map<Port, List<Integer>> byPort = new LinkedHashMap<>();
        for (int at = 0; at < gateway.listeners().size(); at++) {
            CheckedListener listener = gateway.listeners().get(at);
            if (listener.isServed()) {
                Port port = new Port(listener.spec().port(), protocol(listener).transport());
                byPort.computeIfAbsent(port, _ -> new ArrayList<>()).add(at);
            }
        }
        byPort.forEach(this::port);
        if (gateway.backendCertificate() != null) {
            messages.secrets().add(gateway.backendCertificate());
        }
        return messages;
    }

    private void port(Port port, List<Integer> listeners) {
        String name = name(gateway.name(), port);
        Listener.Builder template = Listener.newBuilder()
                .setTrafficDirection(TrafficDirection.OUTBOUND)
                .setMetadata(Protos.extras(Map.of("gateway", gateway.name().toString())));
        switch (protocol(gateway.listeners().get(listeners.getFirst()))) {
            case HTTP -> http(name, listeners, template);
            case HTTPS, TLS -> listeners.forEach(at -> byServerName(name, at, listeners, template));
            case TCP ->
                oldest(listeners.getFirst()).ifPresent(route -> template.setDefaultFilterChain(stream(name, route)));
            case UDP -> oldest(listeners.getFirst()).ifPresent(route -> Streams.udp(name, shares(route), template));
        }
        // A port that leads nowhere is not opened: whoever comes is refused by the machine.
        if (template.getFilterChainsCount() > 0
                || template.hasDefaultFilterChain()
                || template.getListenerFiltersCount() > 0) {
            addresses(name, port, template);
        }
    }

    private static String name(Name gateway, Port port) {
        return "gateway:" + gateway + ":" + port.number() + (port.transport() == Transport.UDP ? "/udp" : "");
    }

    /** Whether a name is that of a listener on this port, at whichever address. */
    public static boolean isListener(String name, Name gateway, int port, Transport transport) {
        String first = name(gateway, new Port(port, transport));
        return name.equals(first) || name.startsWith(first + "@");
    }

    private void addresses(String name, Port port, Listener.Builder template) {
        List<String> hosts = gateway.gateway().spec().addresses().isEmpty()
                ? List.of(gateway.placement().address())
                : gateway.addresses().stream()
                        .map(address -> address.type().equals("IPAddress")
                                ? address.value()
                                : gateway.placement().address())
                        .toList();
        int number = port.number() + gateway.placement().portOffset();
        for (String host : hosts) {
            Listener.Builder listener =
                    template.clone().setName(host.equals(hosts.getFirst()) ? name : name + "@" + host);
            SocketAddress.Builder address = listener.getAddressBuilder().getSocketAddressBuilder();
            address.setAddress(host).setPortValue(number);
            if (port.transport() == Transport.UDP) {
                address.setProtocol(SocketAddress.Protocol.UDP);
            }
            messages.add(listener.build());
        }
    }

    private void http(String name, List<Integer> listeners, Listener.Builder template) {
        VirtualHosts hosts = new VirtualHosts();
        listeners.forEach(at -> hosts(at, listeners, hosts));
        String configuration = name + "/http";
        messages.add(hosts.build(configuration, List.of()));
        template.setDefaultFilterChain(
                FilterChain.newBuilder().setName(configuration).addFilters(Streams.http(configuration)));
    }

    private void byServerName(String name, int at, List<Integer> listeners, Listener.Builder template) {
        CheckedListener listener = gateway.listeners().get(at);
        String section = name + "/" + listener.spec().name();
        if (protocol(listener) == ListenerProtocol.TLS) {
            passed(section, at, listeners, template);
            return;
        }
        VirtualHosts hosts = new VirtualHosts();
        hosts(at, listeners, hosts);
        messages.add(hosts.build(section, others(at, listeners)));
        FilterChain.Builder chain = FilterChain.newBuilder()
                .setName(section)
                .setTransportSocket(PublicTls.downstream(listener, HTTP_ALPN))
                .addFilters(Streams.http(section));
        messages.secrets().addAll(listener.certificates());
        addChain(listener.hostname(), chain, template);
    }

    /** TLS that is passed on, or ended and passed on: by the names of routes, as nobody looks further. */
    private void passed(String section, int at, List<Integer> listeners, Listener.Builder template) {
        CheckedListener listener = gateway.listeners().get(at);
        Map<String, ResolvedRoute> byName = new LinkedHashMap<>();
        bound(at).stream()
                .sorted(Comparator.comparing(BoundRoute::route, AGE))
                .forEach(bound -> bound.hostnames().stream()
                        .filter(hostname -> isOwn(hostname, listener, listeners))
                        .forEach(hostname -> byName.putIfAbsent(hostname, bound.route())));
        byName.forEach((hostname, route) -> {
            FilterChain.Builder chain = stream(section + "/" + hostname, route).toBuilder();
            if (!listener.isPassthrough()) {
                chain.setTransportSocket(PublicTls.downstream(listener, List.of()));
                messages.secrets().addAll(listener.certificates());
            }
            addChain(hostname, chain, template);
        });
        if (!byName.containsKey(listener.hostname()) && isWithinAnother(listener, listeners)) {
            Cluster nobody = Clusters.broken(RouteKind.TLS, section, 0, 0, "no route of its listener is for this name");
            messages.add(nobody);
            addChain(
                    listener.hostname(),
                    FilterChain.newBuilder()
                            .setName(section)
                            .addFilters(Streams.tcp(section, List.of(new Streams.Share(nobody.getName(), 1)))),
                    template);
        }
    }

    /** Then what this one has no route for must not end up there. */
    private boolean isWithinAnother(CheckedListener listener, List<Integer> listeners) {
        return listeners.stream()
                .map(other -> gateway.listeners().get(other))
                .anyMatch(other -> !other.equals(listener) && Hostnames.covers(other.hostname(), listener.hostname()));
    }

    private static void addChain(String hostname, FilterChain.Builder chain, Listener.Builder template) {
        if (!hostname.equals(Hostnames.ANY)) {
            chain.getFilterChainMatchBuilder().addServerNames(hostname);
        }
        template.addFilterChains(chain);
    }

    /** Names that other listeners of the port answer to: a client that comes with the wrong one is told to come again. */
    private List<String> others(int at, List<Integer> listeners) {
        return listeners.stream()
                .filter(other -> other != at)
                .map(other -> gateway.listeners().get(other).hostname())
                .sorted()
                .toList();
    }

    /** Listener isolation: what is the name of a narrower listener of the port is that one's only. */
    private void hosts(int at, List<Integer> listeners, VirtualHosts hosts) {
        CheckedListener listener = gateway.listeners().get(at);
        hosts.add(listener.hostname());
        Place place = new Place(protocol(listener), listener.spec().port());
        for (BoundRoute bound : bound(at)) {
            List<Piece> made = pieces.of(bound.route(), place);
            for (String hostname : bound.hostnames()) {
                if (isOwn(hostname, listener, listeners)) {
                    hosts.add(hostname, made);
                }
            }
            note(bound.route());
        }
    }

    private boolean isOwn(String hostname, CheckedListener listener, List<Integer> listeners) {
        return listeners.stream()
                .map(other -> gateway.listeners().get(other))
                .filter(other -> Hostnames.covers(other.hostname(), hostname))
                .max(Comparator.comparingInt(other -> Hostnames.rank(other.hostname())))
                .filter(listener::equals)
                .isPresent();
    }

    private FilterChain stream(String name, ResolvedRoute route) {
        return FilterChain.newBuilder()
                .setName(name)
                .addFilters(Streams.tcp(name, shares(route)))
                .build();
    }

    /** Of several routes for one port only one can have it. */
    private Optional<ResolvedRoute> oldest(int listener) {
        return bound(listener).stream().map(BoundRoute::route).min(AGE);
    }

    private List<Streams.Share> shares(ResolvedRoute route) {
        note(route);
        List<Streams.Share> shares = new ArrayList<>();
        for (ResolvedRule rule : route.rules()) {
            for (int at = 0; at < rule.shares().size(); at++) {
                ResolvedRule.Share share = rule.shares().get(at);
                String cluster = share.reached() instanceof Reached.Usable usable
                        ? usable.target().clusterName()
                        : Clusters.brokenName(route.name().toString(), rule.index(), at);
                if (share.weight() > 0) {
                    shares.add(new Streams.Share(cluster, share.weight()));
                }
            }
        }
        if (shares.isEmpty()) {
            Cluster none = Clusters.broken(route.name().kind(), route.name().toString(), 0, 0, "all weights are 0");
            messages.add(none);
            shares.add(new Streams.Share(none.getName(), 1));
        }
        return shares;
    }

    private List<BoundRoute> bound(int listener) {
        return routes.stream().filter(route -> route.listener() == listener).toList();
    }

    /** What a route's actions name must be there. */
    private void note(ResolvedRoute route) {
        route.targets().forEach(messages.targets()::add);
        for (ResolvedRule rule : route.rules()) {
            for (int at = 0; at < rule.shares().size(); at++) {
                if (rule.shares().get(at).reached() instanceof Reached.Broken broken) {
                    messages.add(Clusters.broken(
                            route.name().kind(), route.name().toString(), rule.index(), at, broken.message()));
                }
            }
        }
    }

    private static ListenerProtocol protocol(CheckedListener listener) {
        return Objects.requireNonNull(listener.protocol());
    }
}
