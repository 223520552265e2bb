package io.parley.control.gateway.model;

import io.parley.agreement.backend.RouteKind;
import io.parley.control.model.Tree;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.Result;
import io.parley.resource.backend.BackendProtocolSpec;
import io.parley.resource.core.EndpointSliceSpec;
import io.parley.resource.core.ServiceSpec;
import io.parley.resource.gateway.BackendTlsPolicySpec;
import io.parley.resource.gateway.GatewayClassSpec;
import io.parley.resource.gateway.GatewaySpec;
import io.parley.resource.gateway.GrpcRouteSpec;
import io.parley.resource.gateway.HttpRouteSpec;
import io.parley.resource.gateway.ReferenceGrantSpec;
import io.parley.resource.gateway.RouteSpec;
import io.parley.resource.gateway.StreamRouteSpec;
import io.parley.resource.read.SpecReader;
import io.parley.store.Event;
import io.parley.store.Stored;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the next world out of one. What was written by others than our API and cannot be read counts as not there. */
final class WorldEditor {
    private static final Logger LOG = LoggerFactory.getLogger(WorldEditor.class);
    private static final String SERVICE_LABEL = "kubernetes.io/service-name";

    private final Set<Touched> touched = new LinkedHashSet<>();
    private Tree<String, Declared<GatewayClassSpec>> classes;
    private Tree<Name, Declared<GatewaySpec>> gateways;
    private Tree<RouteName, Declared<RouteSpec>> routes;
    private Tree<Name, ServiceSpec> services;
    private Tree<Name, Tree<String, EndpointSliceSpec>> slices;
    private Tree<Name, Name> owners;
    private Tree<String, Tree<String, ReferenceGrantSpec>> grants;
    private Tree<String, Tree<String, Declared<BackendTlsPolicySpec>>> policies;
    private Tree<String, Tree<String, BackendProtocolSpec>> protocols;
    private Tree<DataName, Texts> data;
    private Tree<String, Map<String, String>> namespaces;

    WorldEditor(World world) {
        classes = world.classes();
        gateways = world.gateways();
        routes = world.routes();
        services = world.services();
        slices = world.slices();
        owners = world.owners();
        grants = world.grants();
        policies = world.policies();
        protocols = world.protocols();
        data = world.data();
        namespaces = world.namespaces();
    }

    World.Step finish() {
        World world = new World(
                classes, gateways, routes, services, slices, owners, grants, policies, protocols, data, namespaces);
        return new World.Step(world, touched);
    }

    void apply(Event event) {
        switch (event) {
            case Event.Written(Stored stored) -> set(stored.key(), stored);
            case Event.Deleted deleted -> set(deleted.key(), null);
        }
    }

    private void set(ResourceKey key, @Nullable Stored stored) {
        var kind = key.kind();
        Optional<RouteKind> route = ObjectKinds.route(kind);
        if (route.isPresent()) {
            setRoute(new RouteName(route.get(), Name.of(key)), stored);
        } else if (kind.equals(ObjectKinds.SERVICE)) {
            setService(Name.of(key), read(stored, ServiceSpec.READER));
        } else if (kind.equals(ObjectKinds.SLICE)) {
            setSlice(Name.of(key), stored);
        } else if (kind.equals(ObjectKinds.GATEWAY)) {
            var before = gateways;
            gateways = replaced(gateways, Name.of(key), declared(stored, GatewaySpec.READER));
            touchIf(before != gateways, new Touched.GatewayOf(Name.of(key)));
        } else if (kind.equals(ObjectKinds.CLASS)) {
            var before = classes;
            classes = replaced(classes, key.name(), declared(stored, GatewayClassSpec.READER));
            touchIf(before != classes, new Touched.ClassOf(key.name()));
        } else if (kind.equals(ObjectKinds.POLICY)) {
            setPolicy(Name.of(key), declared(stored, BackendTlsPolicySpec.READER));
        } else {
            setOther(key, stored);
        }
    }

    private void setOther(ResourceKey key, @Nullable Stored stored) {
        var kind = key.kind();
        if (kind.equals(ObjectKinds.GRANT)) {
            var before = grants;
            grants = inner(grants, key, read(stored, ReferenceGrantSpec.READER));
            touchIf(before != grants, new Touched.GrantsIn(key.space()));
        } else if (kind.equals(ObjectKinds.PROTOCOLS)) {
            setProtocols(key, read(stored, BackendProtocolSpec.READER));
        } else if (kind.equals(ObjectKinds.SECRET)) {
            setData(new DataName(DataName.Type.SECRET, Name.of(key)), stored);
        } else if (kind.equals(ObjectKinds.CONFIG_MAP)) {
            setData(new DataName(DataName.Type.CONFIG_MAP, Name.of(key)), stored);
        } else if (kind.equals(ObjectKinds.NAMESPACE)) {
            var before = namespaces;
            namespaces = replaced(
                    namespaces,
                    key.name(),
                    stored == null ? null : stored.resource().labels());
            touchIf(before != namespaces, new Touched.NamespaceOf(key.name()));
        }
    }

    private void setRoute(RouteName name, @Nullable Stored stored) {
        SpecReader<? extends RouteSpec> reader = switch (name.kind()) {
            case HTTP -> HttpRouteSpec.READER;
            case GRPC -> GrpcRouteSpec.READER;
            case TLS -> StreamRouteSpec.TLS;
            case TCP, UDP -> StreamRouteSpec.PLAIN;
        };
        var before = routes;
        RouteSpec spec = read(stored, reader);
        routes = replaced(routes, name, spec == null ? null : Declared.of(Objects.requireNonNull(stored), spec));
        touchIf(before != routes, new Touched.RouteOf(name));
    }

    private void setService(Name name, @Nullable ServiceSpec spec) {
        var before = services;
        services = replaced(services, name, spec);
        touchIf(before != services, new Touched.BackendOf(name));
    }

    private void setSlice(Name name, @Nullable Stored stored) {
        EndpointSliceSpec spec = read(stored, EndpointSliceSpec.READER);
        String label = stored == null ? null : stored.resource().labels().get(SERVICE_LABEL);
        Name owner = label == null || spec == null ? null : new Name(name.namespace(), label);
        Name former = owners.get(name);
        if (former != null && !former.equals(owner)) {
            slices = replaced(
                    slices,
                    former,
                    emptied(slices.find(former).orElse(Tree.empty()).without(name.name())));
            touch(new Touched.BackendOf(former));
        }
        owners = replaced(owners, name, owner);
        if (owner != null && spec != null) {
            var before = slices;
            slices = slices.with(owner, slices.find(owner).orElse(Tree.empty()).with(name.name(), spec));
            touchIf(before != slices, new Touched.BackendOf(owner));
        }
    }

    private void setPolicy(Name name, @Nullable Declared<BackendTlsPolicySpec> policy) {
        Declared<BackendTlsPolicySpec> former = policies.find(name.namespace())
                .flatMap(each -> each.find(name.name()))
                .orElse(null);
        if (Objects.equals(former, policy)) {
            return;
        }
        policies = inner(policies, name, policy);
        touch(new Touched.PolicyOf(name));
        touchTargets(former);
        touchTargets(policy);
    }

    private void touchTargets(@Nullable Declared<BackendTlsPolicySpec> policy) {
        if (policy != null) {
            policy.spec()
                    .targets()
                    .forEach(target -> touch(new Touched.BackendOf(
                            new Name(policy.key().space(), target.ref().name()))));
        }
    }

    private void setProtocols(ResourceKey key, @Nullable BackendProtocolSpec spec) {
        protocols
                .find(key.space())
                .flatMap(each -> each.find(key.name()))
                .ifPresent(former -> touch(new Touched.BackendOf(new Name(key.space(), former.service()))));
        protocols = inner(protocols, key, spec);
        if (spec != null) {
            touch(new Touched.BackendOf(new Name(key.space(), spec.service())));
        }
    }

    private void setData(DataName name, @Nullable Stored stored) {
        var before = data;
        Texts texts = stored == null
                ? null
                : Texts.read(name.type(), stored.resource().spec().tree());
        data = replaced(data, name, texts);
        touchIf(before != data, new Touched.DataOf(name));
    }

    private void touch(Touched what) {
        touched.add(what);
    }

    private void touchIf(boolean changed, Touched what) {
        if (changed) {
            touched.add(what);
        }
    }

    private static <K extends Comparable<? super K>, V> Tree<K, V> replaced(Tree<K, V> tree, K key, @Nullable V value) {
        return value == null ? tree.without(key) : tree.with(key, value);
    }

    private static <V> @Nullable Tree<String, V> emptied(Tree<String, V> tree) {
        return tree.isEmpty() ? null : tree;
    }

    private static <V> Tree<String, Tree<String, V>> inner(
            Tree<String, Tree<String, V>> all, ResourceKey key, @Nullable V value) {
        return inner(all, Name.of(key), value);
    }

    private static <V> Tree<String, Tree<String, V>> inner(
            Tree<String, Tree<String, V>> all, Name name, @Nullable V value) {
        Tree<String, V> before = all.find(name.namespace()).orElse(Tree.empty());
        Tree<String, V> after = replaced(before, name.name(), value);
        return before == after ? all : replaced(all, name.namespace(), emptied(after));
    }

    private static <S> @Nullable Declared<S> declared(@Nullable Stored stored, SpecReader<S> reader) {
        S spec = read(stored, reader);
        return stored == null || spec == null ? null : Declared.of(stored, spec);
    }

    private static <S> @Nullable S read(@Nullable Stored stored, SpecReader<S> reader) {
        if (stored == null) {
            return null;
        }
        Resource resource = stored.resource();
        return switch (reader.read(resource.spec())) {
            case Result.Accepted<S>(S spec) -> spec;
            case Result.Rejected<S> rejected -> {
                LOG.warn(
                        "{} counts as not there: {}",
                        resource.key(),
                        rejected.violations().getFirst());
                yield null;
            }
        };
    }
}
