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
import io.parley.link.PeerText;
import io.parley.link.config.ConfigListener;
import io.parley.link.server.NodeLink;
import io.parley.link.telemetry.NodeReport;
import io.parley.link.telemetry.TelemetrySink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

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

    private record Reported(String gateway, List<NodeReport.Made> decisions) {}

    private final Map<Link, Reported> byLink = new ConcurrentHashMap<>();

    /** Types of which the last that was told was refused, and why. */
    private final Map<Link, Refusals> refused = new ConcurrentHashMap<>();

    private record Refusals(String gateway, Map<String, String> byType) {}

    @Override
    public void report(NodeLink node, NodeReport report) {
        NodeKey key = new NodeKey(node.principal().mesh(), node.principal().name());
        Link link = node.link();
        if (key.isGateway() && byLink.put(link, new Reported(key.name(), report.decisions())) == null) {
            var _ = link.closed().thenRun(() -> byLink.remove(link));
        }
    }

    @Override
    public void applied(NodeLink node, String type, String version) {
        Refusals known = refused.get(node.link());
        if (known != null) {
            known.byType.remove(type);
        }
    }

    @Override
    public void refused(NodeLink node, String type, String version, String reason) {
        NodeKey key = new NodeKey(node.principal().mesh(), node.principal().name());
        Link link = node.link();
        if (key.isGateway()) {
            refused.computeIfAbsent(link, _ -> new Refusals(key.name(), new ConcurrentSkipListMap<>()))
                    .byType
                    .put(type, PeerText.cut(reason));
            var _ = link.closed().thenRun(() -> refused.remove(link));
        }
    }

    /** What a proxy says of the configuration that it does not take; empty if all take it. */
    String refusal(Name gateway) {
        String name = NodeKey.ofGateway(gateway.namespace(), gateway.name()).name();
        return refused.values().stream()
                .filter(each -> each.gateway.equals(name))
                .flatMap(each -> each.byType.values().stream())
                .findFirst()
                .orElse("");
    }

    /** About clusters whose names begin so. */
    List<Said> about(String clusters) {
        List<Said> said = new ArrayList<>();
        byLink.values()
                .forEach(reported -> reported.decisions.stream()
                        .filter(made -> made.subject().startsWith(clusters))
                        .forEach(made -> said.add(new Said(reported.gateway, made))));
        return said;
    }

    /** What is in the way of a gateway's listeners, by their places, as its proxies see it. */
    Map<Integer, Serving.Trouble> troubles(CheckedGateway gateway) {
        String name = NodeKey.ofGateway(
                        gateway.name().namespace(), gateway.name().name())
                .name();
        Map<Integer, Serving.Trouble> troubles = new HashMap<>();
        for (Reported reported : byLink.values()) {
            if (reported.gateway.equals(name)) {
                reported.decisions.stream()
                        .filter(made -> made.decision().source().rule().equals(LISTENING))
                        .forEach(made -> note(gateway, made, troubles));
            }
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
}
