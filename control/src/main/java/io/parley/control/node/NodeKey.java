package io.parley.control.node;

import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;

/** A data plane of a mesh, or the proxy of a Gateway; its resource need not exist yet. */
public record NodeKey(String mesh, String name) {
    private static final KindId DATAPLANE = new KindId("Dataplane");
    private static final KindId INSIGHT = new KindId("DataplaneInsight");

    /** In place of the mesh of those that serve a Gateway: a name that no mesh can have. */
    private static final String GATEWAYS = "@gateways";

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

    @Override
    public String toString() {
        return mesh + "/" + name;
    }
}
