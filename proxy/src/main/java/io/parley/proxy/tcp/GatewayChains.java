package io.parley.proxy.tcp;

import io.parley.proxy.config.ClusterShare;
import io.parley.proxy.config.GatewayChain;
import io.parley.proxy.config.GatewayChain.Goal;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.ServerTls;
import io.parley.proxy.route.SmoothWeights;
import io.parley.proxy.tls.TlsServer;
import io.parley.wire.tls.ClientHello;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The chains of a gateway's listener, made ready: found by server name, with their handshakes and whose turn it is. */
final class GatewayChains {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayChains.class);
    private static final String ANY = "*";

    /**
     * A chain and what must be remembered from one connection to the next.
     *
     * @param tls null if the gateway does not end TLS, or cannot
     */
    record Live(GatewayChain chain, @Nullable TlsServer tls, SmoothWeights turns) {
        /** The cluster that the next connection goes to; empty if none has a weight. */
        Optional<String> next() {
            int index = turns.next();
            return index < 0 || !(chain.goal() instanceof Goal.Bytes(var clusters, var _))
                    ? Optional.empty()
                    : Optional.of(clusters.get(index).cluster());
        }
    }

    private final Routing.Gateway routing;
    private final List<Live> all;
    private final Map<String, Live> byName = new HashMap<>();
    private final Map<Asked, Live> byProtocol = new HashMap<>();

    /** A name and a protocol of a TLS handshake. */
    private record Asked(String name, String protocol) {}

    private GatewayChains(Routing.Gateway routing, List<Live> all) {
        this.routing = routing;
        this.all = all;
        for (Live live : all) {
            if (live.chain.serverNames().isEmpty()) {
                byName.put(ANY, live);
            }
            live.chain.serverNames().forEach(name -> put(name, live));
        }
    }

    private void put(String name, Live live) {
        if (live.chain.protocols().isEmpty()) {
            byName.put(name, live);
        }
        live.chain.protocols().forEach(protocol -> byProtocol.put(new Asked(name, protocol), live));
    }

    /** What the routing says, with what is known already of those of its chains that are as they were. */
    static GatewayChains of(Routing.Gateway routing, @Nullable GatewayChains before) {
        if (before != null && before.routing.equals(routing)) {
            return before;
        }
        List<Live> known = before == null ? List.of() : before.all;
        List<Live> all = new ArrayList<>();
        for (GatewayChain chain : routing.chains()) {
            all.add(new Live(chain, tls(chain, known), turns(chain, known)));
        }
        return new GatewayChains(routing, List.copyOf(all));
    }

    private static @Nullable TlsServer tls(GatewayChain chain, List<Live> known) {
        ServerTls tls = chain.tls();
        if (tls == null) {
            return null;
        }
        for (Live live : known) {
            if (tls.equals(live.chain.tls())) {
                return live.tls;
            }
        }
        try {
            return TlsServer.of(tls);
        } catch (SSLException e) {
            LOG.warn("{}: no handshake is possible: {}", chain.name(), e.getMessage());
            return null;
        }
    }

    private static SmoothWeights turns(GatewayChain chain, List<Live> known) {
        for (Live live : known) {
            if (chain.goal() instanceof Goal.Bytes && chain.goal().equals(live.chain.goal())) {
                return live.turns;
            }
        }
        return new SmoothWeights(
                chain.goal() instanceof Goal.Bytes(var clusters, var _)
                        ? clusters.stream().map(ClusterShare::weight).toList()
                        : List.of());
    }

    /** Whether the name that a client asks for must be known before anything else. */
    boolean needsHello() {
        return all.stream()
                .anyMatch(live ->
                        live.chain.tls() != null || !live.chain.serverNames().isEmpty());
    }

    /** The chain for what a client asks for: one for its protocol goes before one for any; null if there is none. */
    @Nullable
    Live find(ClientHello hello) {
        String name = hello.serverName().orElse("");
        Live found = hello.protocols().stream()
                .map(protocol -> byProtocol.get(new Asked(name, protocol)))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(() -> byName.get(name));
        for (int dot = name.indexOf('.'); found == null && dot >= 0; dot = name.indexOf('.', dot + 1)) {
            found = byName.get(ANY + name.substring(dot));
        }
        return found == null ? byName.get(ANY) : found;
    }

    /** The chain for a client that does not begin with TLS; null if there is none. */
    @Nullable
    Live clear() {
        Live any = byName.get(ANY);
        return any == null || any.chain.tls() != null ? null : any;
    }
}
