package io.parley.control.draft;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.parley.control.model.Dataplane;
import io.parley.control.model.MeshModel;
import io.parley.control.policy.Destination;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** All that is made for one proxy. Confined to the call that makes it. */
public final class ProxyDraft {
    private final MeshModel mesh;
    private final Dataplane dataplane;
    private final Flavor flavor;
    private final Function<Destination, ClusterDraft> clusterOf;
    private final List<OutboundDraft> outbounds = new ArrayList<>();
    private final List<InboundDraft> inbounds = new ArrayList<>();
    private final Map<String, ClusterDraft> clusters = new LinkedHashMap<>();
    private final Map<String, Cluster> collectors = new LinkedHashMap<>();
    private boolean needsAllServices;
    private boolean usesHostNames;

    /**
     * An empty draft.
     *
     * @param clusterOf makes the set of endpoints of a destination
     */
    public ProxyDraft(
            MeshModel mesh, Dataplane dataplane, Flavor flavor, Function<Destination, ClusterDraft> clusterOf) {
        this.mesh = mesh;
        this.dataplane = dataplane;
        this.flavor = flavor;
        this.clusterOf = clusterOf;
    }

    public MeshModel mesh() {
        return mesh;
    }

    public Dataplane dataplane() {
        return dataplane;
    }

    public Flavor flavor() {
        return flavor;
    }

    public List<OutboundDraft> outbounds() {
        return outbounds;
    }

    public List<InboundDraft> inbounds() {
        return inbounds;
    }

    /** The endpoints of a destination, which from now on the proxy has. */
    public ClusterDraft cluster(Destination destination) {
        return clusters.computeIfAbsent(destination.clusterName(), _ -> clusterOf.apply(destination));
    }

    public Collection<ClusterDraft> clusters() {
        return clusters.values();
    }

    /** Somewhere that logs and traces are sent to; returns the name to refer to it by. */
    public String collector(Cluster cluster) {
        collectors.putIfAbsent(cluster.getName(), cluster);
        return cluster.getName();
    }

    /** The mesh, looked at as a whole: whatever changes in it may change what is made here. */
    public MeshModel wholeMesh() {
        needsAllServices = true;
        return mesh;
    }

    public boolean needsAllServices() {
        return needsAllServices;
    }

    /** From now on it is made again when the host names of the mesh change. */
    public void useHostNames() {
        usesHostNames = true;
    }

    public boolean usesHostNames() {
        return usesHostNames;
    }

    public Collection<Cluster> collectors() {
        return collectors.values();
    }
}
