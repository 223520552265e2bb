package io.parley.control.node;

import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import java.util.List;

/** A data plane of a mesh, or the proxy of a Gateway or of a zone; its resource need not exist yet. */
public record NodeKey(String mesh, String name) {
    private static final KindId DATAPLANE = new KindId("Dataplane");
    private static final KindId INSIGHT = new KindId("DataplaneInsight");
    private static final KindId INGRESS = new KindId("ZoneIngress");
    private static final KindId EGRESS = new KindId("ZoneEgress");

    /** In place of the mesh of those that serve a Gateway: a name that no mesh can have. */
    private static final String GATEWAYS = "@gateways";

    /** The same for those that stand between zones. */
    private static final String ZONES = "@zones";

    public static NodeKey ofZoneProxy(String name) {
        return new NodeKey(ZONES, name);
    }

    public boolean isZoneProxy() {
        return mesh.equals(ZONES);
    }

    /** What a proxy between zones may be declared as. */
    public List<ResourceKey> zoneProxies() {
        return List.of(new ResourceKey(INGRESS, "", name), new ResourceKey(EGRESS, "", name));
    }

    /** What is known of a proxy between zones that is declared as this. */
    public static ResourceKey insightOf(ResourceKey zoneProxy) {
        return new ResourceKey(new KindId(zoneProxy.kind() + "Insight"), "", zoneProxy.name());
    }

    public static NodeKey ofGateway(String namespace, String name) {
        return new NodeKey(GATEWAYS, name + "." + namespace);
    }

    public boolean isGateway() {
        return mesh.equals(GATEWAYS);
    }

    public ResourceKey dataplane() {
        return new ResourceKey(DATAPLANE, mesh, name);
    }

    public ResourceKey insight() {
        return new ResourceKey(INSIGHT, mesh, name);
    }

    /** What there must be for it to be told anything, for people. */
    public String resource() {
        if (isGateway()) {
            return "Gateway " + name;
        }
        return isZoneProxy() ? "ZoneIngress or ZoneEgress " + name : "Dataplane " + name + " in mesh " + mesh;
    }

    @Override
    public String toString() {
        return mesh + "/" + name;
    }
}
