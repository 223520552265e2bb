package io.parley.control.gateway;

import io.parley.agreement.backend.Transport;
import io.parley.control.gateway.attach.CheckedGateway;
import io.parley.control.gateway.attach.CheckedListener;
import io.parley.control.gateway.attach.ListenerProtocol;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.status.Serving;
import io.parley.control.gateway.xds.GatewayWriter;
import io.parley.control.node.NodeKey;
import io.parley.link.Link;
import io.parley.link.config.ConfigListener;
import io.parley.link.server.NodeLink;
import io.parley.link.telemetry.NodeReport;
import io.parley.link.telemetry.TelemetrySink;
import io.parley.xds.server.StreamInfo;
import io.parley.xds.server.StreamListener;
import io.parley.xds.server.session.Rejection;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the proxies of gateways that are there now last said: that a backend does not speak what it declares, say, or that a port cannot
 * be listened on.
 */
public final class GatewayReports implements TelemetrySink, ConfigListener {
    /** The rule of decisions about listeners, whose subject is the listener's name. */
    private static final String LISTENING = "listen";

    private static final String NO_ADDRESS = "no-address";

    /** What one of them said. */
    record Said(String gateway, NodeReport.Made made) {}

    private final Map<Link, GatewayPeer> byLink = new ConcurrentHashMap<>();
    private final Map<String, Set<GatewayPeer>> byGateway = new ConcurrentHashMap<>();
    private final InstantSource time;

    GatewayReports(InstantSource time) {
        this.time = time;
    }

    /** The peer at the other end, if it serves a gateway; it is there until its link closes. */
    private Optional<GatewayPeer> peer(NodeLink node) {
        NodeKey key = new NodeKey(node.principal().mesh(), node.principal().name());
        return key.isGateway()
                ? Optional.of(byLink.computeIfAbsent(node.link(), link -> joined(link, key)))
                : Optional.empty();
    }

    private GatewayPeer joined(Link link, NodeKey node) {
        GatewayPeer peer = joined(node, GatewayPeer.Voice.LINK);
        // Not here and now: a link that has closed meanwhile would be taken out of the map while it is put in.
        var _ = link.closed()
                .thenRunAsync(
                        () -> {
                            byLink.remove(link);
                            left(peer);
                        },
                        link.loop());
        return peer;
    }

    private GatewayPeer joined(NodeKey node, GatewayPeer.Voice voice) {
        GatewayPeer peer = new GatewayPeer(node.name(), voice);
        byGateway.compute(node.name(), (_, before) -> {
            Set<GatewayPeer> all = before == null ? ConcurrentHashMap.newKeySet() : before;
            all.add(peer);
            return all;
        });
        return peer;
    }

    private void left(GatewayPeer peer) {
        byGateway.computeIfPresent(peer.gateway(), (_, all) -> {
            all.remove(peer);
            return all.isEmpty() ? null : all;
        });
    }

    /** Listens to those that came by xDS instead of a link; {@code nodes} tells whom a stream serves. */
    public StreamListener streams(Function<StreamInfo, Optional<NodeKey>> nodes) {
        return new Streams(nodes);
    }

    private Set<GatewayPeer> peers(Name gateway) {
        String name = NodeKey.ofGateway(gateway.namespace(), gateway.name()).name();
        return byGateway.getOrDefault(name, Set.of());
    }

    @Override
    public void report(NodeLink node, NodeReport report) {
        peer(node).ifPresent(peer -> peer.report(report));
    }

    @Override
    public void asked(NodeLink node, List<String> types) {
        peer(node).ifPresent(peer -> peer.asked(types));
    }

    @Override
    public void applied(NodeLink node, String type, String version) {
        peer(node).ifPresent(peer -> peer.applied(type, version, time.instant()));
    }

    @Override
    public void refused(NodeLink node, String type, String version, String reason) {
        peer(node).ifPresent(peer -> peer.refused(type, version, reason, time.instant()));
    }

    /** Those that somebody has joined for. */
    Set<Name> joined() {
        return byGateway.keySet().stream().map(Gateways::name).collect(Collectors.toSet());
    }

    int proxies(Name gateway) {
        return peers(gateway).size();
    }

    /** What a proxy says of the configuration that it does not take; empty if all take it. */
    String refusal(Name gateway) {
        return peers(gateway).stream()
                .flatMap(peer -> peer.refusal().stream())
                .min(Comparator.naturalOrder())
                .orElse("");
    }

    /** Whether a proxy has yet to say what it makes of these listeners. True if nobody is there who could have. */
    boolean isAwaited(Name gateway, ResourceSet listeners) {
        Instant now = time.instant();
        Set<GatewayPeer> all = peers(gateway);
        return all.stream().noneMatch(GatewayPeer::takesListeners)
                || all.stream().anyMatch(peer -> peer.isAwaited(listeners, now));
    }

    /** About clusters whose names begin so. */
    List<Said> about(String clusters) {
        List<Said> said = new ArrayList<>();
        byLink.values()
                .forEach(peer -> peer.decisions().stream()
                        .filter(made -> made.subject().startsWith(clusters))
                        .forEach(made -> said.add(new Said(peer.gateway(), made))));
        return said;
    }

    /** What is in the way of a gateway's listeners, by their places, as its proxies see it. */
    Map<Integer, Serving.Trouble> troubles(CheckedGateway gateway) {
        Map<Integer, Serving.Trouble> troubles = new HashMap<>();
        for (GatewayPeer peer : peers(gateway.name())) {
            peer.decisions().stream()
                    .filter(made -> made.decision().source().rule().equals(LISTENING))
                    .forEach(made -> note(gateway, made, troubles));
        }
        return troubles;
    }

    private static void note(CheckedGateway gateway, NodeReport.Made made, Map<Integer, Serving.Trouble> troubles) {
        Serving.Cause cause = made.decision().value().equals(NO_ADDRESS) ? Serving.Cause.ADDRESS : Serving.Cause.PORT;
        for (int at = 0; at < gateway.listeners().size(); at++) {
            CheckedListener listener = gateway.listeners().get(at);
            ListenerProtocol protocol = listener.protocol();
            Transport transport = protocol == null ? Transport.TCP : protocol.transport();
            if (listener.isServed()
                    && GatewayWriter.isListener(
                            made.subject(), gateway.name(), listener.spec().port(), transport)) {
                troubles.put(at, new Serving.Trouble(cause, made.decision().because()));
            }
        }
    }

    /** The version of an answer is that of the whole set in the gateway's cell that it was made from, whatever part its client asked for. */
    private final class Streams implements StreamListener {
        private final Map<Long, GatewayPeer> byStream = new ConcurrentHashMap<>();
        private final Function<StreamInfo, Optional<NodeKey>> nodes;

        Streams(Function<StreamInfo, Optional<NodeKey>> nodes) {
            this.nodes = nodes;
        }

        @Override
        public void opened(StreamInfo stream) {
            nodes.apply(stream).filter(NodeKey::isGateway).ifPresent(node -> {
                GatewayPeer peer = joined(node, GatewayPeer.Voice.STREAM);
                if (isForListeners(stream)) {
                    peer.asked(List.of(ResourceType.LISTENER.url(ApiVersion.V3)));
                }
                byStream.put(stream.id(), peer);
            });
        }

        /** A client may have a stream for each type: on those for others it says nothing of listeners, ever. */
        private static boolean isForListeners(StreamInfo stream) {
            return stream.method().endsWith("AggregatedResources")
                    || stream.method().endsWith("Listeners");
        }

        @Override
        public void acknowledged(StreamInfo stream, String typeUrl, String version, @Nullable Rejection standing) {
            peer(stream).ifPresent(peer -> {
                if (standing == null) {
                    peer.applied(typeUrl, version, time.instant());
                } else {
                    peer.refused(typeUrl, version, standing.message(), time.instant());
                }
            });
        }

        @Override
        public void rejected(StreamInfo stream, String typeUrl, Rejection rejection) {
            peer(stream)
                    .ifPresent(peer -> peer.refused(typeUrl, rejection.version(), rejection.message(), time.instant()));
        }

        @Override
        public void givenUp(StreamInfo stream, String typeUrl) {
            peer(stream).ifPresent(peer -> peer.givenUp(typeUrl));
        }

        @Override
        public void closed(StreamInfo stream) {
            Optional.ofNullable(byStream.remove(stream.id())).ifPresent(GatewayReports.this::left);
        }

        private Optional<GatewayPeer> peer(StreamInfo stream) {
            return Optional.ofNullable(byStream.get(stream.id()));
        }
    }
}
