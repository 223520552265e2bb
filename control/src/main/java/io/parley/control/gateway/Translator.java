package io.parley.control.gateway;

import io.parley.control.gateway.attach.Attachment;
import io.parley.control.gateway.attach.CheckedGateway;
import io.parley.control.gateway.attach.GatewayCheck;
import io.parley.control.gateway.attach.Placement;
import io.parley.control.gateway.attach.Verdict;
import io.parley.control.gateway.model.DataName;
import io.parley.control.gateway.model.Declared;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.RouteName;
import io.parley.control.gateway.model.Touched;
import io.parley.control.gateway.model.World;
import io.parley.control.gateway.route.ResolvedRoute;
import io.parley.control.gateway.route.RouteResolver;
import io.parley.control.gateway.status.ClassStatus;
import io.parley.control.gateway.status.GatewayStatus;
import io.parley.control.gateway.status.RouteStatus;
import io.parley.control.gateway.status.Status;
import io.parley.control.gateway.xds.BoundRoute;
import io.parley.control.gateway.xds.Pieces;
import io.parley.resource.ResourceKey;
import io.parley.resource.gateway.BackendTlsPolicySpec;
import io.parley.resource.gateway.GatewayClassSpec;
import io.parley.resource.gateway.GatewaySpec;
import io.parley.resource.gateway.ParentRef;
import io.parley.resource.gateway.RouteSpec;
import io.parley.xds.server.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Keeps what was made of a world, and redoes of it what a step touches: a Service its routes, a route the gateways that it is at.
 * Confined to one thread.
 */
final class Translator {
    /** Where results go. */
    interface Output {
        void publish(Name gateway, Snapshot snapshot);

        /** It is no gateway of ours any more. */
        void withdraw(Name gateway);

        void status(ResourceKey key, Status status);
    }

    private final Placement placement;
    private final Predicate<Name> joined;
    private final Output output;
    private final Map<Name, CheckedGateway> gateways = new TreeMap<>();
    private final Map<Name, BuiltGateway> built = new HashMap<>();
    private final Map<RouteName, ResolvedRoute> routes = new HashMap<>();
    private final Map<RouteName, List<Attachment>> attachments = new HashMap<>();
    private final Links<RouteName, Name> byService = new Links<>();
    private final Links<RouteName, Name> byGateway = new Links<>();
    private final Links<RouteName, String> byGrants = new Links<>();
    private final Pieces pieces = new Pieces();
    private volatile World world = World.EMPTY;
    private volatile GatewayWork done = GatewayWork.NONE;

    Translator(Placement placement, Predicate<Name> joined, Output output) {
        this.placement = placement;
        this.joined = joined;
        this.output = output;
    }

    GatewayWork done() {
        return done;
    }

    World world() {
        return world;
    }

    Set<Name> gateways() {
        return Collections.unmodifiableSet(gateways.keySet());
    }

    /** What a step made necessary. */
    private static final class Dirt {
        private final Set<Name> gatewaysToCheck = new LinkedHashSet<>();
        private final Set<Name> gatewaysToWrite = new LinkedHashSet<>();
        private final Set<RouteName> toResolve = new LinkedHashSet<>();
        private final Set<RouteName> toAttach = new LinkedHashSet<>();
        private final Set<RouteName> toTell = new LinkedHashSet<>();
        private final Set<Name> services = new LinkedHashSet<>();
        private final Set<Name> policies = new LinkedHashSet<>();
    }

    /** A world that was read anew: what is not in it is gone. */
    void reset(World.Step step) {
        Set<Touched> touched = new LinkedHashSet<>(step.touched());
        routes.keySet().forEach(name -> touched.add(new Touched.RouteOf(name)));
        gateways.keySet().forEach(name -> touched.add(new Touched.GatewayOf(name)));
        built.clear();
        gateways.keySet().forEach(name -> built.put(name, new BuiltGateway()));
        apply(new World.Step(step.world(), touched));
    }

    void apply(World.Step step) {
        if (step.touched().isEmpty()) {
            world = step.world();
            return;
        }
        world = step.world();
        Dirt dirt = new Dirt();
        step.touched().forEach(touched -> note(touched, dirt));
        dirt.gatewaysToCheck.forEach(name -> check(name, dirt));
        dirt.toResolve.forEach(name -> resolve(name, dirt));
        dirt.toAttach.forEach(name -> attach(name, dirt));
        long encoded = write(dirt);
        tell(dirt);
        count(dirt, encoded);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread counts, others read
    private void count(Dirt dirt, long encoded) {
        done = done.plus(1, dirt.toResolve.size(), dirt.gatewaysToWrite.size(), encoded);
    }

    private void note(Touched touched, Dirt dirt) {
        switch (touched) {
            case Touched.ClassOf(String name) -> {
                tellClass(name);
                gatewaysWhere(gateway -> gateway.spec().className().equals(name), dirt);
            }
            case Touched.GatewayOf(Name name) -> dirt.gatewaysToCheck.add(name);
            case Touched.RouteOf(RouteName name) -> {
                dirt.toResolve.add(name);
                dirt.toAttach.add(name);
            }
            case Touched.BackendOf(Name service) -> {
                dirt.services.add(service);
                dirt.toResolve.addAll(byService.of(service));
                world.policiesIn(service.namespace()).stream()
                        .filter(policy -> Policies.isFor(policy, service))
                        .forEach(policy -> dirt.policies.add(policy.name()));
            }
            case Touched.GrantsIn(String namespace) -> {
                dirt.toResolve.addAll(byGrants.of(namespace));
                gatewaysWhere(_ -> true, dirt);
            }
            case Touched.PolicyOf(Name name) -> dirt.policies.add(name);
            case Touched.DataOf(DataName name) -> data(name, dirt);
            case Touched.NamespaceOf(String name) ->
                routes.keySet().stream()
                        .filter(route -> route.name().namespace().equals(name))
                        .forEach(dirt.toAttach::add);
        }
    }

    /** Certificates and keys that listeners show, authorities that policies name, parameters that say where to listen. */
    private void data(DataName name, Dirt dirt) {
        String plain = name.name().name();
        for (Declared<GatewaySpec> gateway : world.gateways().values()) {
            boolean named =
                    gateway.spec().references().anyMatch(ref -> ref.name().equals(plain));
            if (named
                    || ourClass(gateway)
                            .map(found -> found.spec().parameters())
                            .filter(ref -> ref.name().equals(plain))
                            .isPresent()) {
                dirt.gatewaysToCheck.add(gateway.name());
                dirt.gatewaysToWrite.add(gateway.name());
            }
        }
        for (Declared<BackendTlsPolicySpec> policy :
                world.policiesIn(name.name().namespace())) {
            if (policy.spec().authorities().stream().anyMatch(ref -> ref.name().equals(plain))) {
                dirt.policies.add(policy.name());
                policy.spec()
                        .targets()
                        .forEach(target -> dirt.toResolve.addAll(byService.of(
                                new Name(policy.key().space(), target.ref().name()))));
            }
        }
    }

    private void gatewaysWhere(Predicate<Declared<GatewaySpec>> rule, Dirt dirt) {
        world.gateways().values().stream().filter(rule).forEach(gateway -> dirt.gatewaysToCheck.add(gateway.name()));
    }

    private void check(Name name, Dirt dirt) {
        Optional<Declared<GatewaySpec>> declared = world.gateways().find(name);
        Optional<Declared<GatewayClassSpec>> ofClass = declared.flatMap(this::ourClass);
        CheckedGateway before = gateways.get(name);
        if (declared.isEmpty() || ofClass.isEmpty()) {
            if (before != null) {
                gateways.remove(name);
                built.remove(name);
                output.withdraw(name);
                dirt.toAttach.addAll(byGateway.of(name));
            }
            return;
        }
        CheckedGateway after = new GatewayCheck(world, placement).check(declared.get(), ofClass.get());
        if (!after.equals(before)) {
            gateways.put(name, after);
            dirt.toAttach.addAll(byGateway.of(name));
            dirt.gatewaysToWrite.add(name);
        }
    }

    private Optional<Declared<GatewayClassSpec>> ourClass(Declared<GatewaySpec> gateway) {
        return world.classes()
                .find(gateway.spec().className())
                .filter(found -> found.spec().controller().equals(Status.CONTROLLER));
    }

    private void resolve(RouteName name, Dirt dirt) {
        Optional<Declared<RouteSpec>> declared = world.routes().find(name);
        if (declared.isEmpty()) {
            routes.remove(name);
            pieces.forget(name);
            byService.replace(name, Set.of());
            byGrants.replace(name, Set.of());
            return;
        }
        ResolvedRoute before = routes.get(name);
        ResolvedRoute after = RouteResolver.resolve(world, name, declared.get());
        if (!after.equals(before)) {
            routes.put(name, after);
            byService.replace(name, after.services());
            byGrants.replace(name, after.namespaces());
            attachments
                    .getOrDefault(name, List.of())
                    .forEach(each -> dirt.gatewaysToWrite.add(parent(name, each.parent())));
        }
        dirt.toTell.add(name);
    }

    private void attach(RouteName name, Dirt dirt) {
        attachments
                .getOrDefault(name, List.of())
                .forEach(each -> dirt.gatewaysToWrite.add(parent(name, each.parent())));
        Optional<Declared<RouteSpec>> declared = world.routes().find(name);
        if (declared.isEmpty()) {
            attachments.remove(name);
            byGateway.replace(name, Set.of());
            return;
        }
        List<Attachment> found = new ArrayList<>();
        Set<Name> parents = new LinkedHashSet<>();
        for (ParentRef parent : declared.get().spec().parents()) {
            if (parent.isGateway()) {
                Name gateway = parent(name, parent);
                parents.add(gateway);
                CheckedGateway checked = gateways.get(gateway);
                if (checked != null) {
                    found.add(Attachment.of(world, checked, name, declared.get(), parent));
                    dirt.gatewaysToWrite.add(gateway);
                }
            }
        }
        byGateway.replace(name, parents);
        attachments.put(name, found);
        dirt.toTell.add(name);
    }

    private static Name parent(RouteName route, ParentRef parent) {
        return new Name(parent.namespace() == null ? route.name().namespace() : parent.namespace(), parent.name());
    }

    /** Returns how many messages became bytes. */
    private long write(Dirt dirt) {
        long encoded = 0;
        dirt.gatewaysToWrite.retainAll(gateways.keySet());
        for (Name name : dirt.gatewaysToWrite) {
            CheckedGateway checked = Objects.requireNonNull(gateways.get(name));
            BuiltGateway gateway = built.computeIfAbsent(name, _ -> new BuiltGateway());
            long before = gateway.encoded();
            gateway.write(world, checked, bound(name), pieces, dirt.services);
            encoded += gateway.encoded() - before;
            output.publish(name, gateway.snapshot());
        }
        for (Map.Entry<Name, BuiltGateway> each : built.entrySet()) {
            BuiltGateway gateway = each.getValue();
            if (!dirt.gatewaysToWrite.contains(each.getKey())
                    && dirt.services.stream().anyMatch(gateway::uses)) {
                long before = gateway.encoded();
                gateway.replaceEndpoints(world, dirt.services);
                encoded += gateway.encoded() - before;
                output.publish(each.getKey(), gateway.snapshot());
            }
        }
        return encoded;
    }

    private List<BoundRoute> bound(Name gateway) {
        List<BoundRoute> bound = new ArrayList<>();
        for (RouteName name : byGateway.of(gateway)) {
            ResolvedRoute route = routes.get(name);
            for (Attachment attachment : attachments.getOrDefault(name, List.of())) {
                if (route != null && parent(name, attachment.parent()).equals(gateway)) {
                    attachment
                            .bound()
                            .forEach(each -> bound.add(new BoundRoute(route, each.listener(), each.hostnames())));
                }
            }
        }
        return bound;
    }

    private void tell(Dirt dirt) {
        for (RouteName name : dirt.toTell) {
            ResolvedRoute route = routes.get(name);
            Optional<Declared<RouteSpec>> declared = world.routes().find(name);
            if (route != null && declared.isPresent()) {
                List<Attachment> found = attachments.getOrDefault(name, List.of());
                output.status(name.key(), new RouteStatus(declared.get().generation(), route, found));
                dirt.policies.addAll(Policies.of(world, route.services()));
            }
        }
        dirt.gatewaysToWrite.forEach(this::tellGateway);
        dirt.policies.forEach(name -> Policies.status(world, name, this::gatewaysTo)
                .ifPresent(status -> output.status(Policies.key(name), status)));
    }

    /** The gateways that have routes to a Service. */
    private Set<Name> gatewaysTo(Name service) {
        Set<Name> found = new LinkedHashSet<>();
        for (RouteName route : byService.of(service)) {
            attachments.getOrDefault(route, List.of()).stream()
                    .filter(each -> each.accepted().good())
                    .forEach(each -> found.add(parent(route, each.parent())));
        }
        return found;
    }

    /** Also when a proxy came or went. */
    void tellGateway(Name name) {
        CheckedGateway gateway = gateways.get(name);
        if (gateway == null) {
            return;
        }
        Integer[] attached = new Integer[gateway.listeners().size()];
        Arrays.fill(attached, 0);
        for (BoundRoute route : bound(name)) {
            attached[route.listener()]++;
        }
        output.status(gateway.gateway().key(), new GatewayStatus(gateway, List.of(attached), joined.test(name)));
    }

    private void tellClass(String name) {
        world.classes()
                .find(name)
                .filter(found -> found.spec().controller().equals(Status.CONTROLLER))
                .ifPresent(found -> output.status(
                        found.key(),
                        new ClassStatus(
                                found.generation(), Verdict.good("Accepted", "gateways of this class are served"))));
    }
}
