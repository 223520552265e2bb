package io.parley.control.snapshot;

import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.parley.control.draft.Flavor;
import io.parley.control.model.Dataplane;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Subject;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes snapshots of cells and knows which of them use what. Confined to one thread; its count of work may be read by any. */
final class CellBuilder {
    /** Endpoints as seen from a zone. */
    private record View(Built.Assigned assigned, @Nullable String zone) {}

    private final SecretTexts texts;
    private final ProxyFactory factory = new ProxyFactory();
    private final Encoder encoder = new Encoder();
    private final Users<Built.ServiceName> shapes = new Users<>();
    private final Users<Built.ServiceName> endpoints = new Users<>();
    private final Users<String> wholeMeshes = new Users<>();
    private final Users<String> hostNames = new Users<>();
    private final Map<Built.ServiceName, Map<View, EncodedResource>> assignments = new HashMap<>();
    private volatile Work done = new Work(0, 0, 0, 0, 0);

    CellBuilder(SecretTexts texts) {
        this.texts = texts;
    }

    Work done() {
        return done;
    }

    Set<ProxyKey> usersOfShape(Built.ServiceName service) {
        Set<ProxyKey> users = new HashSet<>(shapes.of(service));
        users.addAll(usersOfWholeMesh(service.mesh()));
        return users;
    }

    Set<ProxyKey> usersOfEndpoints(Built.ServiceName service) {
        return endpoints.of(service);
    }

    Set<ProxyKey> usersOfHostNames(String mesh) {
        return hostNames.of(mesh);
    }

    /** Those who looked at all of a mesh, zone proxies among them, which look at all meshes. */
    Set<ProxyKey> usersOfWholeMesh(String mesh) {
        Set<ProxyKey> users = new HashSet<>(wholeMeshes.of(mesh));
        users.addAll(wholeMeshes.of(""));
        return users;
    }

    /** Drops what was made of what is not so any more. */
    void changed(Model.Update update) {
        count(new Work(1, 0, 0, 0, 0));
        if (update.all()) {
            assignments.clear();
        }
        for (Subject subject : update.touched()) {
            switch (subject) {
                case Subject.ServiceEndpoints(String mesh, String service) ->
                    assignments.remove(new Built.ServiceName(mesh, service));
                case Subject.ServiceShape(String mesh, String service) ->
                    assignments.remove(new Built.ServiceName(mesh, service));
                case Subject.MeshSettings _, Subject.WayOut _ -> assignments.clear();
                case Subject.DataplaneOf _, Subject.PolicyOf _, Subject.ZoneProxies _, Subject.HostNames _ -> {}
            }
        }
    }

    private static boolean exists(ProxyKey key, Model model) {
        return key.mesh().isEmpty()
                ? model.zoneIngresses().contains(key.name())
                        || model.zoneEgresses().contains(key.name())
                : dataplane(key, model).isPresent();
    }

    /** Makes all of a proxy; returns what could not be done. */
    List<String> build(ProxyCell cell, Model model) {
        ProxyKey key = cell.key();
        long before = encoder.encoded();
        Built built = build(key, model);
        cell.built(built);
        if (built == null) {
            forget(key);
            // A proxy that was there and is not: it is told that it has nothing. One that never was still waits.
            if (cell.live().current().isPresent()) {
                publish(cell, Snapshot.EMPTY, before, 1, 0);
            }
            return List.of();
        }
        Set<Built.ServiceName> assigned = new HashSet<>();
        built.destinations().forEach(each -> assigned.add(each.service()));
        shapes.replace(key, built.services());
        endpoints.replace(key, assigned);
        wholeMeshes.replace(key, built.wholeMesh() ? Set.of(key.mesh()) : Set.of());
        hostNames.replace(key, built.hostNames() ? Set.of(key.mesh()) : Set.of());
        publish(
                cell,
                Snapshot.EMPTY
                        .with(
                                ResourceType.LISTENER,
                                encoder.set(built.assembled().listeners().values()))
                        .with(
                                ResourceType.ROUTE,
                                encoder.set(built.assembled().routes().values()))
                        .with(
                                ResourceType.CLUSTER,
                                encoder.set(built.assembled().clusters().values()))
                        .with(ResourceType.ENDPOINT, assignments(built.destinations(), zone(key, model), model))
                        .with(ResourceType.SECRET, encoder.set(secrets(key, built))),
                before,
                1,
                0);
        return built.assembled().problems();
    }

    /** What a proxy needs to speak TLS with others; a program without a proxy takes no secrets. */
    private List<Secret> secrets(ProxyKey key, Built built) {
        ExternalSecrets secrets = new ExternalSecrets(texts);
        if (key.flavor() != Flavor.GRPC) {
            built.outside().forEach(secrets::add);
        }
        built.assembled().problems().addAll(secrets.problems());
        return secrets.secrets();
    }

    private @Nullable Built build(ProxyKey key, Model model) {
        if (!exists(key, model)) {
            return null;
        }
        if (key.mesh().isEmpty()) {
            return ZoneProxyFactory.build(model, key.name());
        }
        MeshModel mesh = model.mesh(key.mesh()).orElseThrow();
        return factory.build(model, mesh, dataplane(key, model).orElseThrow(), key.flavor());
    }

    /** Replaces the endpoints of these services in what a proxy has. */
    List<String> replaceEndpoints(ProxyCell cell, Model model, Set<Built.ServiceName> services) {
        Built built = cell.built();
        Optional<Snapshot> current = cell.live().current();
        if (built == null || current.isEmpty()) {
            return build(cell, model);
        }
        long before = encoder.encoded();
        String zone = zone(cell.key(), model);
        ResourceSet set = current.get().resources(ResourceType.ENDPOINT);
        for (Built.Assigned assigned : built.destinations()) {
            if (services.contains(assigned.service())) {
                set = set.with(assignment(assigned, zone, model));
            }
        }
        publish(cell, current.get().with(ResourceType.ENDPOINT, encoder.share(set)), before, 0, 1);
        return built.assembled().problems();
    }

    void forget(ProxyKey key) {
        shapes.replace(key, Set.of());
        endpoints.replace(key, Set.of());
        wholeMeshes.replace(key, Set.of());
        hostNames.replace(key, Set.of());
    }

    private ResourceSet assignments(List<Built.Assigned> all, @Nullable String zone, Model model) {
        List<EncodedResource> resources = new ArrayList<>();
        all.forEach(assigned -> resources.add(assignment(assigned, zone, model)));
        return encoder.share(ResourceSet.of(resources));
    }

    private EncodedResource assignment(Built.Assigned assigned, @Nullable String zone, Model model) {
        MeshModel mesh = model.mesh(assigned.mesh()).orElseThrow();
        boolean byZone = mesh.spec().routing().localityAwareLoadBalancing();
        return assignments
                .computeIfAbsent(assigned.service(), _ -> new HashMap<>())
                .computeIfAbsent(
                        new View(assigned, byZone ? zone : null),
                        view -> encoder.encode(EndpointFactory.of(model, mesh, assigned, view.zone())));
    }

    private void publish(ProxyCell cell, Snapshot snapshot, long encodedBefore, int built, int replaced) {
        Snapshot earlier = cell.live().current().orElse(Snapshot.EMPTY);
        boolean news = !snapshot.changesSince(earlier).isEmpty();
        count(new Work(0, built, replaced, encoder.encoded() - encodedBefore, news ? 1 : 0));
        cell.live().publish(snapshot);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread counts, others read
    private void count(Work more) {
        Work last = done;
        done = new Work(
                last.changes() + more.changes(),
                last.proxiesBuilt() + more.proxiesBuilt(),
                last.endpointsReplaced() + more.endpointsReplaced(),
                last.resourcesEncoded() + more.resourcesEncoded(),
                last.published() + more.published());
    }

    private static Optional<Dataplane> dataplane(ProxyKey key, Model model) {
        return model.mesh(key.mesh()).flatMap(mesh -> mesh.dataplanes().find(key.name()));
    }

    private static @Nullable String zone(ProxyKey key, Model model) {
        return dataplane(key, model).map(Dataplane::zone).orElse(model.localZone());
    }
}
