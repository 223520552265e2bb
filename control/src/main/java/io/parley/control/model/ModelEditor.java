package io.parley.control.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import io.parley.resource.mesh.DataplaneSpec;
import io.parley.resource.mesh.Inbound;
import io.parley.resource.mesh.MeshSpec;
import io.parley.resource.mesh.ZoneEgressSpec;
import io.parley.resource.mesh.ZoneIngressSpec;
import io.parley.resource.policy.PolicySpec;
import io.parley.resource.read.SpecReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One step from a model to the next. Confined to the call that makes it. */
final class ModelEditor {
    private static final KindId DATAPLANE = new KindId("Dataplane");

    private final @Nullable String localZone;
    private final Set<Subject> touched = new HashSet<>();
    private final ServiceIndex services = new ServiceIndex();
    private Tree<String, MeshModel> meshes;
    private Tree<String, ZoneIngressSpec> zoneIngresses;
    private Tree<String, ZoneEgressSpec> zoneEgresses;
    private final Optional<ZoneEgressSpec> wayOut;
    private final ClusterEditor cluster;
    private Tree<ResourceKey, Refusal> refusals;
    private Tree<ResourceKey, KindId> notApplied;

    ModelEditor(Model model) {
        localZone = model.localZone();
        meshes = model.meshes();
        zoneIngresses = model.zoneIngresses();
        zoneEgresses = model.zoneEgresses();
        wayOut = model.localEgress();
        cluster = new ClusterEditor(model.cluster());
        refusals = model.refusals();
        notApplied = model.notApplied();
    }

    Model.Update finish() {
        cluster.affected().forEach(this::clusterService);
        cluster.changedAddresses().forEach(this::dataplanesAt);
        touched.addAll(services.touched(meshes));
        Model next = new Model(localZone, meshes, zoneIngresses, zoneEgresses, cluster.cluster(), refusals, notApplied);
        if (!next.localEgress().equals(wayOut)) {
            touched.add(new Subject.WayOut());
        }
        return new Model.Update(next, touched, false);
    }

    /** What our own code cannot cope with is refused like any other: one resource must not stop all others. */
    void written(Resource resource) {
        try {
            change(resource.key(), resource);
        } catch (RuntimeException e) {
            Violation fault = new Violation("", "cannot be read, which is a fault in the program: " + e);
            refusals = refusals.with(resource.key(), new Refusal(resource.key(), List.of(fault)));
        }
    }

    void deleted(ResourceKey key) {
        refusals = refusals.without(key);
        change(key, null);
    }

    private void change(ResourceKey key, @Nullable Resource resource) {
        String name = key.name();
        switch (key.kind().value()) {
            case "Mesh" -> read(MeshSpec.READER, resource, key).ifPresent(spec -> mesh(name, spec.value()));
            case "Dataplane" ->
                read(DataplaneSpec.READER, resource, key)
                        .ifPresent(spec -> dataplane(key, spec.map(value -> Dataplane.of(spec.resource(), value))));
            case "ZoneIngress" ->
                read(ZoneIngressSpec.READER, resource, key).ifPresent(spec -> zoneIngress(name, spec.value()));
            case "ZoneEgress" ->
                read(ZoneEgressSpec.READER, resource, key).ifPresent(spec -> {
                    zoneEgresses = put(zoneEgresses, name, spec.value());
                    touched.add(new Subject.ZoneProxies());
                });
            case "ExternalService" ->
                accepted(resource, key, ExternalService::read).ifPresent(spec -> external(key, spec.value()));
            case "VirtualOutbound" ->
                accepted(resource, key, VirtualOutbound::read)
                        .ifPresent(spec -> settings(
                                key.space(),
                                mesh -> mesh.withVirtualOutbounds(put(mesh.virtualOutbounds(), name, spec.value()))));
            case "MeshGateway" -> {
                // It listens nowhere, but policies may say by it which proxies they are for.
                settings(
                        key.space(),
                        mesh -> mesh.withGateways(
                                put(mesh.gateways(), name, resource == null ? null : gateway(resource))));
                policyOrNothing(key, resource);
            }
            case "Secret" ->
                settings(
                        key.space(),
                        mesh -> mesh.withSecrets(put(mesh.secrets(), name, resource == null ? null : name)));
            case "core/Pod" -> cluster.pod(key, resource == null ? null : Pod.read(resource));
            case "core/Service" -> cluster.service(key, resource == null ? null : ClusterService.read(resource));
            case "discovery.k8s.io/EndpointSlice" -> cluster.slice(key, resource == null ? null : Slice.read(resource));
            case "core/Namespace" -> cluster.namespace(name, resource == null ? null : resource.annotations());
            default -> policyOrNothing(key, resource);
        }
    }

    // Reading

    /** What a resource says now: nothing, if it was deleted. */
    private record Said<T>(@Nullable T value, @Nullable Resource source) {
        Resource resource() {
            return Objects.requireNonNull(source);
        }

        <R> @Nullable R map(java.util.function.Function<T, R> change) {
            return value == null ? null : change.apply(value);
        }
    }

    private interface Reader<T> {
        Result<T> read(Resource resource);
    }

    private <T> Optional<Said<T>> read(SpecReader<T> reader, @Nullable Resource resource, ResourceKey key) {
        return accepted(resource, key, written -> reader.read(written.spec()));
    }

    /** Empty if it is refused: what was good before stays. */
    private <T> Optional<Said<T>> accepted(@Nullable Resource resource, ResourceKey key, Reader<T> reader) {
        if (resource == null) {
            return Optional.of(new Said<>(null, null));
        }
        return switch (reader.read(resource)) {
            case Result.Accepted<T>(T value) -> {
                refusals = refusals.without(key);
                yield Optional.of(new Said<>(value, resource));
            }
            case Result.Rejected<T>(var violations) -> {
                refusals = refusals.with(key, new Refusal(key, violations));
                yield Optional.empty();
            }
        };
    }

    private static MeshModel.Gateway gateway(Resource resource) {
        List<Map<String, String>> selectors = new ArrayList<>();
        for (JsonNode selector : resource.spec().tree().path("selectors")) {
            Map<String, String> match = new LinkedHashMap<>();
            selector.path("match")
                    .properties()
                    .forEach(tag -> match.put(tag.getKey(), tag.getValue().asText()));
            selectors.add(match);
        }
        return new MeshModel.Gateway(resource.key().name(), selectors);
    }

    // Meshes

    private MeshModel require(String name) {
        return meshes.find(name).orElseGet(() -> MeshModel.of(name));
    }

    private void edit(String name, UnaryOperator<MeshModel> change) {
        meshes = meshes.with(name, change.apply(require(name)));
    }

    private void settings(String name, UnaryOperator<MeshModel> change) {
        edit(name, change);
        touched.add(new Subject.MeshSettings(name));
    }

    private void mesh(String name, @Nullable MeshSpec spec) {
        settings(
                name,
                mesh -> spec == null ? mesh.withSpec(false, MeshModel.of(name).spec()) : mesh.withSpec(true, spec));
    }

    private void dataplane(ResourceKey key, @Nullable Dataplane now) {
        MeshModel mesh = require(key.space());
        Dataplane old = mesh.dataplanes().get(key.name());
        MeshModel next = mesh.withDataplanes(put(mesh.dataplanes(), key.name(), now));
        if (old != null) {
            Set<String> kept = now == null ? Set.of() : ids(now);
            for (Inbound inbound : old.spec().inbound()) {
                String service = inbound.tags().getOrDefault(Names.SERVICE, "");
                if (!kept.contains(service + " " + DataplaneEndpoints.id(old, inbound))) {
                    next = services.remove(next, service, DataplaneEndpoints.id(old, inbound));
                }
            }
        }
        if (now != null) {
            for (Inbound inbound : offered(now)) {
                next = services.add(
                        next,
                        inbound.tags().getOrDefault(Names.SERVICE, ""),
                        DataplaneEndpoints.of(now, inbound, cluster.cluster()));
            }
        }
        meshes = meshes.with(key.space(), next);
        touched.add(new Subject.DataplaneOf(key.space(), key.name()));
    }

    private static List<Inbound> offered(Dataplane dataplane) {
        return dataplane.spec().inbound().stream()
                .filter(inbound -> inbound.state() != Inbound.State.IGNORED)
                .toList();
    }

    private static Set<String> ids(Dataplane dataplane) {
        Set<String> ids = new HashSet<>();
        offered(dataplane)
                .forEach(inbound -> ids.add(inbound.tags().getOrDefault(Names.SERVICE, "") + " "
                        + DataplaneEndpoints.id(dataplane, inbound)));
        return ids;
    }

    private void external(ResourceKey key, @Nullable ExternalService now) {
        MeshModel mesh = require(key.space());
        ExternalService old = mesh.externalServices().get(key.name());
        MeshModel next = mesh.withExternalServices(put(mesh.externalServices(), key.name(), now));
        if (old != null) {
            next = services.externals(services.remove(next, old.service(), "external/" + key.name()), old.service());
        }
        if (now != null) {
            next = services.externals(services.add(next, now.service(), ExternalEndpoints.of(now)), now.service());
        }
        meshes = meshes.with(key.space(), next);
    }

    private void zoneIngress(String name, @Nullable ZoneIngressSpec now) {
        ZoneIngressSpec old = zoneIngresses.get(name);
        offeredBy(old)
                .forEach(service -> edit(
                        meshOf(service),
                        mesh -> services.remove(mesh, serviceOf(service), "zoneingress/" + name + service.tags())));
        if (now != null) {
            offeredBy(now)
                    .forEach(service -> edit(
                            meshOf(service),
                            mesh -> services.add(
                                    mesh, serviceOf(service), DataplaneEndpoints.of(name, now, service, mesh.name()))));
        }
        zoneIngresses = put(zoneIngresses, name, now);
        touched.add(new Subject.ZoneProxies());
    }

    /** What other zones offer; what our own ingress offers we reach without it. */
    private Stream<ZoneIngressSpec.AvailableService> offeredBy(@Nullable ZoneIngressSpec ingress) {
        if (ingress == null || localZone == null || ingress.zone() == null || localZone.equals(ingress.zone())) {
            return Stream.empty();
        }
        return ingress.availableServices().stream();
    }

    private static String meshOf(ZoneIngressSpec.AvailableService service) {
        return service.mesh() == null ? Names.DEFAULT_MESH : service.mesh();
    }

    private static String serviceOf(ZoneIngressSpec.AvailableService service) {
        return service.tags().getOrDefault(Names.SERVICE, "");
    }

    /** Puts the endpoints that a Service has now in the place of those that it had. */
    private void clusterService(ClusterEditor.Affected affected) {
        touched.addAll(affected.subjects());
        affected.gone()
                .forEach((service, ids) ->
                        ids.forEach(id -> edit(service.mesh(), mesh -> services.remove(mesh, service.name(), id))));
        affected.now()
                .forEach((service, endpoints) -> endpoints.forEach(
                        endpoint -> edit(service.mesh(), mesh -> services.add(mesh, service.name(), endpoint))));
    }

    private void policyOrNothing(ResourceKey key, @Nullable Resource resource) {
        Kind kind = Kinds.find(key.kind()).orElse(null);
        if (kind == null) {
            return;
        }
        if (kind.replacedBy().isPresent()) {
            notApplied = put(
                    notApplied, key, resource == null ? null : kind.replacedBy().get());
        } else if (kind.isOfMesh()
                && kind.name().startsWith("Mesh")
                && kind.reader().isPresent()) {
            read(kind.reader().get(), resource, key).ifPresent(said -> {
                if (said.value() == null || said.value() instanceof PolicySpec<?>) {
                    policy(key, said.map(spec -> new Policy(said.resource(), (PolicySpec<?>) spec)));
                }
            });
        }
    }

    private void policy(ResourceKey key, @Nullable Policy now) {
        MeshModel mesh = require(key.space());
        List<Policy> versions = new ArrayList<>(mesh.policies(key.kind()).stream()
                .filter(policy -> policy.key().equals(key))
                .toList());
        if (now != null) {
            versions.add(now);
        }
        meshes = meshes.with(key.space(), mesh.withPolicy(key.kind(), key.name(), Optional.ofNullable(now)));
        touched.add(new Subject.PolicyOf(key.space(), List.copyOf(versions)));
    }

    /** A Dataplane whose Pod changed may have become opaque. */
    private void dataplanesAt(String address) {
        for (MeshModel mesh : meshes.values()) {
            for (Dataplane dataplane : mesh.dataplanes().values()) {
                if (dataplane.spec().address().equals(address)) {
                    dataplane(new ResourceKey(DATAPLANE, mesh.name(), dataplane.name()), dataplane);
                }
            }
        }
    }

    private static <K extends Comparable<? super K>, V> Tree<K, V> put(Tree<K, V> tree, K key, @Nullable V value) {
        return value == null ? tree.without(key) : tree.with(key, value);
    }
}
