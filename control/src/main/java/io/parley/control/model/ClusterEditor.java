package io.parley.control.model;

import io.parley.resource.ResourceKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One step of what the mesh reads of Kubernetes. Notes which Services a change concerns and works them out once, at the end. */
final class ClusterEditor {
    /** A service of a mesh. */
    record MeshService(String mesh, String name) {}

    /**
     * How the endpoints of some Services changed.
     *
     * @param gone ids of endpoints that are not there any more
     */
    record Affected(Map<MeshService, Set<String>> gone, Map<MeshService, List<Endpoint>> now, Set<Subject> subjects) {}

    private final Cluster before;
    private final Set<ResourceKey> services = new LinkedHashSet<>();
    private final Set<String> addresses = new LinkedHashSet<>();
    private final Set<Subject> subjects = new HashSet<>();
    private Cluster cluster;

    ClusterEditor(Cluster cluster) {
        this.before = cluster;
        this.cluster = cluster;
    }

    Cluster cluster() {
        return cluster;
    }

    /** Addresses of pods that changed: what is declared for Dataplanes there may have changed too. */
    Set<String> changedAddresses() {
        return addresses;
    }

    void pod(ResourceKey key, @Nullable Pod now) {
        Pod old = cluster.pods()
                .find(key.space())
                .flatMap(pods -> pods.find(key.name()))
                .orElse(null);
        Tree<String, Pod> byAddress = cluster.byAddress();
        if (old != null) {
            note(old);
            byAddress = byAddress.without(old.address());
        }
        if (now != null && !now.address().isEmpty()) {
            byAddress = byAddress.with(now.address(), now);
        }
        cluster = new Cluster(
                Cluster.with(cluster.pods(), key.space(), key.name(), now),
                byAddress,
                cluster.services(),
                cluster.slices(),
                cluster.namespaces());
        if (now != null) {
            note(now);
        }
    }

    private void note(Pod pod) {
        cluster.selecting(pod).forEach(this::note);
        addresses.add(pod.address());
    }

    private void note(ClusterService service) {
        services.add(key(service.namespace(), service.name()));
    }

    void service(ResourceKey key, @Nullable ClusterService now) {
        cluster.service(key.space(), key.name()).ifPresent(old -> subjects.add(new Subject.MeshSettings(old.mesh())));
        cluster = new Cluster(
                cluster.pods(),
                cluster.byAddress(),
                Cluster.with(cluster.services(), key.space(), key.name(), now),
                cluster.slices(),
                cluster.namespaces());
        services.add(key(key.space(), key.name()));
        if (now != null) {
            subjects.add(new Subject.MeshSettings(now.mesh()));
        }
    }

    void slice(ResourceKey key, @Nullable Slice now) {
        cluster.slices()
                .find(key.space())
                .flatMap(slices -> slices.find(key.name()))
                .ifPresent(this::note);
        cluster = new Cluster(
                cluster.pods(),
                cluster.byAddress(),
                cluster.services(),
                Cluster.with(cluster.slices(), key.space(), key.name(), now),
                cluster.namespaces());
        if (now != null) {
            note(now);
        }
    }

    private void note(Slice slice) {
        if (!slice.service().isEmpty()) {
            services.add(key(slice.namespace(), slice.service()));
        }
    }

    void namespace(String name, @Nullable Map<String, String> annotations) {
        cluster = new Cluster(
                cluster.pods(),
                cluster.byAddress(),
                cluster.services(),
                cluster.slices(),
                annotations == null
                        ? cluster.namespaces().without(name)
                        : cluster.namespaces().with(name, annotations));
        cluster.services().find(name).ifPresent(all -> all.values().forEach(this::note));
        cluster.pods().find(name).ifPresent(all -> all.values().forEach(pod -> addresses.add(pod.address())));
    }

    /** What became of the Services that the changes concern. */
    List<Affected> affected() {
        List<Affected> all = new ArrayList<>();
        for (ResourceKey key : services) {
            Map<MeshService, List<Endpoint>> now = endpoints(cluster, key);
            Map<MeshService, Set<String>> gone = new HashMap<>();
            endpoints(before, key).forEach((service, endpoints) -> {
                Set<String> ids = new HashSet<>();
                endpoints.forEach(endpoint -> ids.add(endpoint.id()));
                now.getOrDefault(service, List.of()).forEach(endpoint -> ids.remove(endpoint.id()));
                gone.put(service, ids);
            });
            all.add(new Affected(gone, now, subjects));
        }
        return all;
    }

    private static Map<MeshService, List<Endpoint>> endpoints(Cluster cluster, ResourceKey key) {
        Map<MeshService, List<Endpoint>> endpoints = new HashMap<>();
        cluster.service(key.space(), key.name())
                .ifPresent(service -> service.ports()
                        .forEach(port -> endpoints.put(
                                new MeshService(service.mesh(), service.serviceName(port)),
                                cluster.endpoints(service, port))));
        return endpoints;
    }

    private static ResourceKey key(String namespace, String name) {
        return new ResourceKey(new io.parley.resource.KindId("core/Service"), namespace, name);
    }
}
