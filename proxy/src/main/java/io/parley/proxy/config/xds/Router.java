package io.parley.proxy.config.xds;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Application;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.Authorization.Peers;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.ListenerConfig.Destinations;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.xds.ReadCluster.Members;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns the chains of one listener into where its connections go. */
final class Router {
    private static final Source ENVIRONMENT =
            new Source("environment", "LINKERD2_PROXY_INBOUND_OPAQUE_PORTS", "declared");
    private static final InboundPort NOBODY =
            new InboundPort(Routing.undeclared(), new Authorization(Strangers.REFUSED, Peers.NONE, Peers.NONE));

    private final Assembly assembly;
    private final ReadListener listener;
    private final Local local;

    Router(Assembly assembly, ReadListener listener, Local local) {
        this.assembly = assembly;
        this.listener = listener;
        this.local = local;
    }

    /** Throws {@link NotYet} if something is missing. */
    Routing routing() {
        if (listener.direction() == Direction.OUTBOUND) {
            return listener.destinations() == Destinations.LISTENER ? fixed() : byDestination();
        }
        return listener.isForOnePort() ? toPort() : toApplication();
    }

    private Routing fixed() {
        Chain chain = listener.allChains().findFirst().orElseThrow();
        return new Routing.Fixed(target(chain));
    }

    private Routing byDestination() {
        Map<InetSocketAddress, OutboundTarget> targets = new HashMap<>();
        for (Chain chain : listener.chains()) {
            OutboundTarget target = target(chain);
            chain.match()
                    .addresses()
                    .forEach(address -> targets.put(
                            new InetSocketAddress(address, chain.match().port()), target));
        }
        Chain others = listener.others();
        if (others != null && !(assembly.cluster(others).members() instanceof Members.AsDialled)) {
            throw new NotYet("default_filter_chain: its cluster is not of type ORIGINAL_DST");
        }
        return new Routing.ByDestination(targets, others == null ? Routing.Unknown.REFUSE : Routing.Unknown.PASS);
    }

    /** A target without a cluster is dialled as the client dialled it. */
    private OutboundTarget target(Chain chain) {
        return new OutboundTarget(
                chain.service(), chain.declared(), assembly.target(chain), assembly.http(chain, listener), chain.raw());
    }

    private Routing toPort() {
        Chain chain = listener.allChains().findFirst().orElseThrow();
        InetSocketAddress application = assembly.application(chain, assembly.cluster(chain));
        return new Routing.ToPort(port(chain, application.getPort()), application);
    }

    private Routing toApplication() {
        Map<Integer, InboundPort> ports = new HashMap<>();
        Map<Integer, InetSocketAddress> elsewhere = new HashMap<>();
        Map<String, OutboundTarget> gateway = new HashMap<>();
        for (Chain chain : listener.chains()) {
            int number = chain.match().port();
            if (!chain.match().names().isEmpty()) {
                OutboundTarget target = target(chain);
                chain.match().names().forEach(name -> gateway.put(name + ":" + number, target));
            } else {
                ReadCluster cluster = assembly.cluster(chain);
                ports.put(number, port(chain, number));
                if (!(cluster.members() instanceof Members.AsDialled)) {
                    elsewhere.put(number, assembly.application(chain, cluster));
                }
            }
        }
        Chain rest = listener.others();
        return new Routing.ToApplication(
                ports,
                local.opaquePorts(),
                rest == null ? NOBODY : port(rest, opaqueUnlessDeclared(rest)),
                rest == null ? NOBODY : port(rest, rest.declared()),
                new Application(rest == null ? InetAddress.getLoopbackAddress() : host(rest), elsewhere),
                gateway,
                listener.gatewayDomains());
    }

    private @Nullable InetAddress host(Chain chain) {
        ReadCluster cluster = assembly.cluster(chain);
        return cluster.members() instanceof Members.AsDialled
                ? null
                : assembly.application(chain, cluster).getAddress();
    }

    private InboundPort port(Chain chain, int number) {
        return port(chain, local.opaquePorts().contains(number) ? opaqueUnlessDeclared(chain) : chain.declared());
    }

    private InboundPort port(Chain chain, Decision<Protocol> declared) {
        return new InboundPort(
                declared, chain.authorization(), assembly.http(chain, listener), chain.raw(), chain.endsTls());
    }

    /** What the environment declared at start holds until somebody declares something else. */
    private static Decision<Protocol> opaqueUnlessDeclared(Chain chain) {
        return chain.declared().value() == Protocol.DETECT
                ? new Decision<>(Protocol.OPAQUE, "its port is in a list of opaque ports", ENVIRONMENT)
                : chain.declared();
    }
}
