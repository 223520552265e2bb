package io.parley.control.gateway;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.agreement.version.NodeDescription;
import io.parley.control.gateway.model.Name;
import io.parley.link.auth.NodePrincipal;
import io.parley.link.server.NodeLink;
import io.parley.link.telemetry.NodeReport;
import io.parley.wire.wrpc.CloseReason;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A proxy of a Gateway on its link, as a control plane sees it. It has joined, and says what it is told to say. */
final class FakeProxy {
    private static final List<ResourceType> TYPES =
            List.of(ResourceType.CLUSTER, ResourceType.ENDPOINT, ResourceType.LISTENER, ResourceType.ROUTE);

    private final Gateways gateways;
    private final Name gateway;
    private final NodeLink node;
    private final LiveSnapshot.Watcher watcher = _ -> {};

    private FakeProxy(Gateways gateways, Name gateway) {
        this.gateways = gateways;
        this.gateway = gateway;
        String name = gateway.name() + "." + gateway.namespace();
        this.node = new NodeLink(
                new SilentLink(),
                new NodePrincipal(name, "@gateways", "", Map.of()),
                new NodeDescription(name, "PARLEY", "0.1.0", "host"));
    }

    static FakeProxy joins(Gateways gateways, Name gateway) {
        FakeProxy proxy = new FakeProxy(gateways, gateway);
        gateways.reports().asked(proxy.node, TYPES.stream().map(FakeProxy::url).toList());
        gateways.of(gateway).watch(proxy.watcher);
        return proxy;
    }

    /** Takes all that it is told, and has nothing to complain of. */
    void takesAll() {
        TYPES.forEach(this::takes);
        reports();
    }

    void takes(ResourceType type) {
        gateways.reports().applied(node, url(type), version(type));
    }

    void refuses(ResourceType type, String reason) {
        gateways.reports().refused(node, url(type), version(type), reason);
    }

    /** Of listeners only if it was told of any. */
    void reports(NodeReport.Made... made) {
        Map<String, String> applied =
                snapshot().resources(ResourceType.LISTENER).size() == 0
                        ? Map.of()
                        : Map.of(url(ResourceType.LISTENER), version(ResourceType.LISTENER));
        gateways.reports().report(node, new NodeReport(Instant.EPOCH, Map.of(), applied, "", List.of(made), Map.of()));
    }

    /** What it reports of the first listener that it was told of. */
    NodeReport.Made cannotListen() {
        String listener =
                snapshot().resources(ResourceType.LISTENER).names().iterator().next();
        return new NodeReport.Made(
                listener, new Decision<>("taken", "somebody else has the port", Source.ofRule("listen")));
    }

    void leaves() {
        gateways.of(gateway).unwatch(watcher);
        node.link().close(new CloseReason(CloseReason.NORMAL, ""));
    }

    private Snapshot snapshot() {
        return gateways.of(gateway).current().orElseThrow();
    }

    private String version(ResourceType type) {
        return snapshot().resources(type).version();
    }

    private static String url(ResourceType type) {
        return type.url(ApiVersion.V3);
    }
}
