package io.parley.control.model;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.resource.mesh.Inbound;
import io.parley.resource.mesh.ZoneIngressSpec;
import io.parley.resource.mesh.ZoneIngressSpec.AvailableService;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What proxies and zone ingresses offer to others, as endpoints. */
final class DataplaneEndpoints {
    private DataplaneEndpoints() {}

    static String id(Dataplane dataplane, Inbound inbound) {
        return Endpoint.DATAPLANE + dataplane.name() + ":" + inbound.port();
    }

    static Endpoint of(Dataplane dataplane, Inbound inbound, Cluster cluster) {
        String service = inbound.tags().getOrDefault(Names.SERVICE, "");
        String zone = inbound.tags().get(Names.ZONE);
        String own = inbound.address();
        return new Endpoint(
                id(dataplane, inbound),
                own == null ? dataplane.reachedAt() : own,
                inbound.port(),
                inbound.tags(),
                inbound.state() == Inbound.State.READY && !Boolean.FALSE.equals(inbound.ready()),
                zone == null ? dataplane.zone() : zone,
                1,
                protocol(dataplane, inbound, cluster),
                Endpoint.Kind.SIDECAR,
                Identities.of(dataplane.mesh(), service).map(Object::toString).orElse(null),
                dataplane.meshPort().orElse(null));
    }

    /** What an inbound takes, and on whose word. */
    static Decision<Protocol> protocol(Dataplane dataplane, Inbound inbound, Cluster cluster) {
        String resource = "Dataplane/" + dataplane.displayName();
        int index = dataplane.spec().inbound().indexOf(inbound);
        int behind = Dataplane.servicePort(inbound);
        Optional<Decision<Boolean>> own =
                OpaquePorts.declared(resource, dataplane.annotations(), Map.of(), behind, inbound.port());
        Optional<Decision<Boolean>> opaque =
                own.isPresent() ? own : cluster.opaqueAt(dataplane.spec().address(), behind);
        if (opaque.isPresent() && opaque.get().value()) {
            return opaque.get().map(_ -> Protocol.OPAQUE);
        }
        String declared = inbound.protocol();
        if (declared != null) {
            return new Decision<>(
                    Protocol.ofTag(declared),
                    resource + " declares " + declared + " for port " + inbound.port(),
                    new Source(
                            resource,
                            "networking.inbound[" + index + "].tags[\"" + Names.PROTOCOL + "\"]",
                            "declared protocol"));
        }
        return opaque.map(decision -> decision.map(_ -> Protocol.DETECT))
                .or(() -> OpaquePorts.usual(behind, inbound.port()))
                .orElseGet(() -> OpaquePorts.detected(resource));
    }

    static Endpoint of(String ingressName, ZoneIngressSpec ingress, AvailableService available, String mesh) {
        String service = available.tags().getOrDefault(Names.SERVICE, "");
        String declared = available.tags().get(Names.PROTOCOL);
        String resource = "ZoneIngress/" + ingressName;
        Decision<Protocol> protocol = declared == null
                ? OpaquePorts.detected(resource)
                : new Decision<>(
                        Protocol.ofTag(declared),
                        resource + " announces " + declared + " for " + service,
                        new Source(resource, "availableServices", "declared protocol"));
        Integer advertised = ingress.advertisedPort();
        int port = advertised == null ? ingress.port() : advertised;
        Optional<Integer> behind = port(available.tags().getOrDefault(Names.PORT, ""));
        return new Endpoint(
                "zoneingress/" + ingressName + available.tags(),
                firstOf(ingress.advertisedAddress(), ingress.address()),
                behind.orElse(port),
                available.tags(),
                true,
                ingress.zone(),
                Math.max(1, available.instances()),
                protocol,
                Endpoint.Kind.OTHER_ZONE,
                Identities.of(mesh, service).map(Object::toString).orElse(null),
                behind.isPresent() ? port : null);
    }

    /** What a peer says may be anything. */
    private static Optional<Integer> port(String text) {
        return text.matches("[0-9]{1,5}")
                ? Optional.of(Integer.valueOf(text)).filter(port -> port > 0 && port <= 0xFFFF)
                : Optional.empty();
    }

    private static String firstOf(@Nullable String first, @Nullable String second) {
        return first != null ? first : second != null ? second : "";
    }
}
