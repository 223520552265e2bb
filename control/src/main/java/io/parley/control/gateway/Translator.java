package io.parley.control.gateway;

import io.parley.control.gateway.attach.CheckedGateway;
import io.parley.control.gateway.attach.GatewayCheck;
import io.parley.control.gateway.attach.Placement;
import io.parley.control.gateway.model.DataName;
import io.parley.control.gateway.model.Declared;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.RouteName;
import io.parley.control.gateway.model.Touched;
import io.parley.control.gateway.model.World;
import io.parley.control.gateway.route.ResolvedRoute;
import io.parley.control.gateway.route.RouteResolver;
import io.parley.control.gateway.status.RouteStatus;
import io.parley.control.gateway.status.Serving;
import io.parley.control.gateway.status.Status;
import io.parley.control.gateway.xds.Pieces;
import io.parley.resource.ResourceKey;
import io.parley.resource.gateway.GatewayClassSpec;
import io.parley.resource.gateway.GatewaySpec;
import io.parley.resource.gateway.RouteSpec;
import io.parley.xds.server.snapshot.Snapshot;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what was made of a world, and redoes of it what a step touches: a Service its routes, a route the gateways that it is at.
 * Confined to one thread; others may look at its world and its count of work.
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
    private final Function<CheckedGateway, Serving> serving;
    private final Output output;
    private final Map<Name, CheckedGateway> gateways = new TreeMap<>();
    private final Map<Name, BuiltGateway> built = new HashMap<>();
    private final Map<RouteName, ResolvedRoute> routes = new HashMap<>();
    private final Attachments attachments = new Attachments();
    private final Links<RouteName, Name> byService = new Links<>();
    private final Links<RouteName, String> byGrants = new Links<>();
    private final Pieces pieces = new Pieces();
    private volatile World world = World.EMPTY;
    private volatile GatewayWork done = GatewayWork.NONE;

    Translator(Placement placement, Function<CheckedGateway, Serving> serving, Output output) {
        this.placement = placement;
        this.serving = serving;
        this.output = output;
    }

    GatewayWork done() {
        return done;
    }

    World world() {
        return world;
    }

    /** One of a class of ours; null if there is none. */
    @Nullable
    CheckedGateway gateway(Name name) {
        return gateways.get(name);
    }

    Collection<CheckedGateway> gateways() {
        return Collections.unmodifiableCollection(gateways.values());
    }

    /** A world that was read anew: what is not in it is gone. */
    void reset(World.Step step) {
        Set<Touched> touched = new LinkedHashSet<>(step.touched());
        routes.keySet().forEach(name -> touched.add(new Touched.RouteOf(name)));
        gateways.keySet().forEach(name -> touched.add(new Touched.GatewayOf(name)));
        built.replaceAll((_, _) -> new BuiltGateway());
        apply(new World.Step(step.world(), touched));
    }

    void apply(World.Step step) {
        world = step.world();
        if (step.touched().isEmpty()) {
            return;
        }
        Dirt dirt = new Dirt();
        step.touched().forEach(touched -> note(touched, dirt));
        dirt.gatewaysToCheck.forEach(name -> check(name, dirt));
        dirt.routesToResolve.forEach(name -> resolve(name, dirt));
        dirt.routesToAttach.forEach(name -> attach(name, dirt));
        dirt.gatewaysToWrite.retainAll(gateways.keySet());
        dirt.gatewaysToWrite.forEach(name -> dirt.routesToTell.addAll(attachments.settle(name, world)));
        long encoded = write(dirt);
        tell(dirt);
        count(dirt, encoded);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread counts, others read
    private void count(Dirt dirt, long encoded) {
        done = done.plus(1, dirt.routesToResolve.size(), dirt.gatewaysToWrite.size(), encoded);
    }

    private void note(Touched touched, Dirt dirt) {
        switch (touched) {
            case Touched.ClassOf(String name) -> {
                dirt.classesToTell.add(name);
                checkWhere(gateway -> gateway.spec().className().equals(name), dirt);
            }
            case Touched.GatewayOf(Name name) -> dirt.gatewaysToCheck.add(name);
            case Touched.RouteOf(RouteName name) -> {
                dirt.routesToResolve.add(name);
                dirt.routesToAttach.add(name);
            }
            case Touched.BackendOf(Name service) -> {
                dirt.services.add(service);
                dirt.routesToResolve.addAll(byService.of(service));
                dirt.policiesToTell.addAll(Policies.of(world, Set.of(service)));
            }
            case Touched.GrantsIn(String namespace) -> {
                dirt.routesToResolve.addAll(byGrants.of(namespace));
                checkWhere(_ -> true, dirt);
            }
            case Touched.PolicyOf(Name name) -> dirt.policiesToTell.add(name);
            case Touched.DataOf(DataName name) -> noteData(name, dirt);
            case Touched.NamespaceOf(String name) ->
                routes.keySet().stream()
                        .filter(route -> route.name().namespace().equals(name))
                        .forEach(dirt.routesToAttach::add);
        }
    }

    /** Certificates that listeners show, parameters that say where to listen, authorities that policies name. */
    private void noteData(DataName data, Dirt dirt) {
        String name = data.name().name();
        for (Declared<GatewaySpec> gateway : world.gateways().values()) {
            boolean named =
                    gateway.spec().references().anyMatch(ref -> ref.name().equals(name));
            boolean byClass = ourClass(gateway)
                    .map(found -> found.spec().parameters())
                    .filter(ref -> ref.name().equals(name))
                    .isPresent();
            if (named || byClass) {
                dirt.gatewaysToCheck.add(gateway.name());
                dirt.gatewaysToWrite.add(gateway.name());
            }
        }
        world.classes().values().stream()
                .filter(each -> Optional.ofNullable(each.spec().parameters())
                        .filter(ref -> ref.name().equals(name))
                        .isPresent())
                .forEach(each -> dirt.classesToTell.add(each.key().name()));
        Policies.naming(world, data).forEach(policy -> {
            dirt.policiesToTell.add(policy.name());
            Policies.services(policy).forEach(service -> dirt.routesToResolve.addAll(byService.of(service)));
        });
    }

    private void checkWhere(Predicate<Declared<GatewaySpec>> rule, Dirt dirt) {
        world.gateways().values().stream().filter(rule).forEach(gateway -> dirt.gatewaysToCheck.add(gateway.name()));
    }

    private void check(Name name, Dirt dirt) {
        Optional<Declared<GatewaySpec>> declared = world.gateways().find(name);
        Optional<Declared<GatewayClassSpec>> ofClass = declared.flatMap(this::ourClass);
        CheckedGateway before = gateways.get(name);
        if (declared.isPresent() && ofClass.isPresent()) {
            CheckedGateway after = new GatewayCheck(world, placement).check(declared.get(), ofClass.get());
            if (!after.equals(before)) {
                gateways.put(name, after);
                dirt.routesToAttach.addAll(attachments.routesOf(name));
                dirt.gatewaysToWrite.add(name);
            }
        } else if (before != null) {
            gateways.remove(name);
            built.remove(name);
            output.withdraw(name);
            dirt.routesToAttach.addAll(attachments.routesOf(name));
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
        ResolvedRoute after = RouteResolver.resolve(world, name, declared.get());
        if (!after.equals(routes.put(name, after))) {
            byService.replace(name, after.services());
            byGrants.replace(name, after.namespaces());
            dirt.gatewaysToWrite.addAll(attachments.gatewaysOf(name));
        }
        dirt.routesToTell.add(name);
    }

    private void attach(RouteName name, Dirt dirt) {
        dirt.gatewaysToWrite.addAll(attachments.gatewaysOf(name));
        world.routes()
                .find(name)
                .ifPresentOrElse(
                        route -> attachments.attach(name, route, world, gateways), () -> attachments.forget(name));
        dirt.gatewaysToWrite.addAll(attachments.gatewaysOf(name));
        dirt.routesToTell.add(name);
    }

    /** Returns how many messages became bytes. */
    private long write(Dirt dirt) {
        long encoded = 0;
        for (Name name : gateways.keySet()) {
            BuiltGateway gateway = built.computeIfAbsent(name, _ -> new BuiltGateway());
            long before = gateway.encoded();
            if (dirt.gatewaysToWrite.contains(name)) {
                CheckedGateway checked = Objects.requireNonNull(gateways.get(name));
                gateway.write(world, checked, attachments.bound(name, routes), pieces, dirt.services);
            } else if (dirt.services.stream().anyMatch(gateway::uses)) {
                gateway.replaceEndpoints(world, dirt.services);
            } else {
                continue;
            }
            encoded += gateway.encoded() - before;
            output.publish(name, gateway.snapshot());
        }
        return encoded;
    }

    private void tell(Dirt dirt) {
        Statements statements = new Statements(world, output);
        dirt.classesToTell.forEach(statements::ofClass);
        for (RouteName name : dirt.routesToTell) {
            ResolvedRoute route = routes.get(name);
            Optional<Declared<RouteSpec>> declared = world.routes().find(name);
            if (route != null && declared.isPresent()) {
                long generation = declared.get().generation();
                output.status(name.key(), new RouteStatus(generation, route, attachments.of(name)));
                dirt.policiesToTell.addAll(Policies.of(world, route.services()));
            }
        }
        dirt.gatewaysToWrite.forEach(this::tellGateway);
        dirt.policiesToTell.forEach(name -> statements.ofPolicy(name, this::gatewaysTo));
    }

    /** Also when a proxy came or went. */
    void tellGateway(Name name) {
        CheckedGateway gateway = gateways.get(name);
        if (gateway != null) {
            new Statements(world, output).ofGateway(gateway, attachments.bound(name, routes), serving.apply(gateway));
        }
    }

    /** The gateways that have routes to a Service. */
    private Set<Name> gatewaysTo(Name service) {
        Set<Name> found = new LinkedHashSet<>();
        byService.of(service).forEach(route -> found.addAll(attachments.gatewaysThatLetIn(route)));
        return found;
    }
}
