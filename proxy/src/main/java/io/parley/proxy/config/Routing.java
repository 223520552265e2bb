package io.parley.proxy.config;

import io.parley.agreement.port.PortSet;
import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.log.LogConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Where a listener sends what it accepts. */
public sealed interface Routing {
    /**
     * Everything goes to one service, whatever address was dialled.
     *
     * @param target the service
     */
    record Fixed(OutboundTarget target) implements Routing {}

    /**
     * The address that the application dialled decides.
     *
     * @param targets by address and port
     * @param unknown what becomes of an address that is not among them
     */
    record ByDestination(Map<InetSocketAddress, OutboundTarget> targets, Unknown unknown) implements Routing {
        public ByDestination {
            targets = Map.copyOf(targets);
        }
    }

    /** What becomes of a destination that nobody told the proxy about. */
    enum Unknown {
        /** It is dialled as it is, in clear. */
        PASS,
        REFUSE
    }

    /**
     * Everything goes to the application beside the proxy, or through this proxy as a gateway.
     *
     * @param ports what is known of single ports
     * @param opaquePorts ports that are declared opaque as a set, which may be large
     * @param opaque what holds for those of them that are not known singly
     * @param others what holds for every other port
     * @param application where the application listens
     * @param gateway services that connections with a name in their header are passed on to, by that name
     * @param gatewayDomains a name must end in one of these, else it is refused; none if the proxy is no gateway
     */
    record ToApplication(
            Map<Integer, InboundPort> ports,
            PortSet opaquePorts,
            InboundPort opaque,
            InboundPort others,
            Application application,
            Map<String, OutboundTarget> gateway,
            Set<String> gatewayDomains)
            implements Routing {
        public ToApplication {
            ports = Map.copyOf(ports);
            gateway = Map.copyOf(gateway);
            gatewayDomains = Set.copyOf(gatewayDomains);
        }

        /** What holds for this port. */
        public InboundPort port(int number) {
            InboundPort known = ports.get(number);
            if (known != null) {
                return known;
            }
            return opaquePorts.contains(number) ? opaque : others;
        }

        /** The service that a gateway passes a named connection on to; empty if this proxy must not. */
        public Optional<OutboundTarget> passOn(String name, int port) {
            String plain = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
            return isAllowed(plain) ? Optional.ofNullable(gateway.get(plain + ":" + port)) : Optional.empty();
        }

        /** The same for a connection that names no port: the service of that name, if it has one port only. */
        public Optional<OutboundTarget> passOnByName(String name) {
            List<OutboundTarget> known = gateway.entrySet().stream()
                    .filter(entry -> entry.getKey().startsWith(name + ":"))
                    .map(Map.Entry::getValue)
                    .toList();
            return isAllowed(name) && known.size() == 1 ? Optional.of(known.getFirst()) : Optional.empty();
        }

        private Stream<InboundPort> allPorts() {
            return Stream.concat(ports.values().stream(), Stream.of(opaque, others));
        }

        private boolean isAllowed(String name) {
            return gatewayDomains.stream().anyMatch(domain -> name.equals(domain) || name.endsWith("." + domain));
        }
    }

    /**
     * Everything goes to one port of the application beside the proxy, as it does when the kernel redirects that port here.
     *
     * @param port what holds for it
     * @param application where the application listens
     */
    record ToPort(InboundPort port, InetSocketAddress application) implements Routing {}

    /**
     * What comes to a gateway goes where the name says that a client asks for in its TLS handshake, if there is one: an exact name goes
     * before a wildcard, and a longer wildcard before a shorter one.
     */
    record Gateway(List<GatewayChain> chains) implements Routing {
        public Gateway {
            chains = List.copyOf(chains);
        }
    }

    /**
     * Datagrams to a gateway: all that one client sends goes to the same endpoint.
     *
     * @param idle how long a client may be silent before it is forgotten
     */
    record Datagrams(List<ClusterShare> clusters, Duration idle) implements Routing {
        public Datagrams {
            clusters = List.copyOf(clusters);
        }
    }

    /** Names of the clusters that it refers to. */
    default Stream<String> clusterNames() {
        return switch (this) {
            case Fixed(var target) -> target.clusterNames();
            case ByDestination(var targets, var _) -> targets.values().stream().flatMap(OutboundTarget::clusterNames);
            case ToApplication here -> here.gateway().values().stream().flatMap(OutboundTarget::clusterNames);
            case ToPort _ -> Stream.empty();
            case Gateway(var chains) ->
                chains.stream().flatMap(chain -> chain.goal().clusterNames());
            case Datagrams(var shares, var _) -> shares.stream().map(ClusterShare::cluster);
        };
    }

    /** What holds for requests, wherever something is said about them. */
    default Stream<HttpConfig> requests() {
        return switch (this) {
            case Fixed(var target) -> Stream.ofNullable(target.http());
            case ByDestination(var targets, var _) ->
                targets.values().stream().flatMap(to -> Stream.ofNullable(to.http()));
            case ToPort(var port, var _) -> Stream.ofNullable(port.http());
            case Gateway(var chains) ->
                chains.stream()
                        .flatMap(chain -> chain.goal() instanceof GatewayChain.Goal.Requests(var http)
                                ? Stream.of(http)
                                : Stream.empty());
            case Datagrams _ -> Stream.empty();
            case ToApplication here ->
                Stream.concat(
                        here.allPorts().flatMap(port -> Stream.ofNullable(port.http())),
                        here.gateway().values().stream().flatMap(to -> Stream.ofNullable(to.http())));
        };
    }

    /** Who hears of connections that are not HTTP. */
    default Stream<LogConfig> connectionLogs() {
        Stream<Raw> all = switch (this) {
            case Fixed(var target) -> Stream.of(target.raw());
            case ByDestination(var targets, var _) -> targets.values().stream().map(OutboundTarget::raw);
            case ToPort(var port, var _) -> Stream.of(port.raw());
            case Gateway(var chains) ->
                chains.stream()
                        .flatMap(chain -> chain.goal() instanceof GatewayChain.Goal.Bytes(var _, var raw)
                                ? Stream.of(raw)
                                : Stream.empty());
            case Datagrams _ -> Stream.empty();
            case ToApplication here ->
                Stream.concat(
                        here.allPorts().map(InboundPort::raw),
                        here.gateway().values().stream().map(OutboundTarget::raw));
        };
        return all.flatMap(raw -> raw.logs().stream());
    }

    /** What holds for a port of the application; empty if connections go elsewhere. */
    default Optional<InboundPort> inbound(int number) {
        return switch (this) {
            case ToApplication here -> Optional.of(here.port(number));
            case ToPort(var port, var _) -> Optional.of(port);
            case Fixed _, ByDestination _, Gateway _, Datagrams _ -> Optional.empty();
        };
    }

    /** Nothing was declared, so the first bytes decide. */
    static Decision<Protocol> undeclared() {
        return new Decision<>(Protocol.DETECT, "nobody declared the protocol", Source.ofRule("detect"));
    }
}
