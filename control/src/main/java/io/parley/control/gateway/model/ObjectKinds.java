package io.parley.control.gateway.model;

import io.parley.agreement.backend.RouteKind;
import io.parley.resource.KindId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The kinds of objects that gateways are made of. */
public final class ObjectKinds {
    public static final String GROUP = "gateway.networking.k8s.io";
    public static final KindId CLASS = new KindId(GROUP + "/GatewayClass");
    public static final KindId GATEWAY = new KindId(GROUP + "/Gateway");
    public static final KindId POLICY = new KindId(GROUP + "/BackendTLSPolicy");
    static final KindId GRANT = new KindId(GROUP + "/ReferenceGrant");
    static final KindId SERVICE = new KindId("core/Service");
    static final KindId SLICE = new KindId("discovery.k8s.io/EndpointSlice");
    static final KindId SECRET = new KindId("core/Secret");
    static final KindId CONFIG_MAP = new KindId("core/ConfigMap");
    static final KindId NAMESPACE = new KindId("core/Namespace");
    static final KindId PROTOCOLS = new KindId("BackendProtocol");

    private ObjectKinds() {}

    public static List<KindId> all() {
        List<KindId> all = new ArrayList<>(
                List.of(CLASS, GATEWAY, POLICY, GRANT, SERVICE, SLICE, SECRET, CONFIG_MAP, NAMESPACE, PROTOCOLS));
        for (RouteKind kind : RouteKind.values()) {
            all.add(of(kind));
        }
        return all;
    }

    static KindId of(RouteKind kind) {
        return new KindId(GROUP + "/" + kind.word());
    }

    static Optional<RouteKind> route(KindId kind) {
        for (RouteKind each : RouteKind.values()) {
            if (of(each).equals(kind)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
