package io.parley.control.node;

import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;

/** A data plane of a mesh; its resource need not exist yet. */
public record NodeKey(String mesh, String name) {
    private static final KindId DATAPLANE = new KindId("Dataplane");
    private static final KindId INSIGHT = new KindId("DataplaneInsight");

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
