package io.parley.control.gateway;

import io.parley.agreement.backend.Resolution;
import io.parley.agreement.backend.RouteKind;
import io.parley.agreement.reason.Decision;
import io.parley.control.explain.Explanation;
import io.parley.control.explain.Step;
import io.parley.control.explain.UnknownName;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.RouteName;
import io.parley.control.gateway.model.World;
import io.parley.control.gateway.route.BackendResolver;
import io.parley.control.gateway.route.Reached;
import io.parley.control.gateway.route.RouteBackends;
import io.parley.control.model.Tree;
import io.parley.resource.core.EndpointSliceSpec;
import io.parley.resource.core.ServiceSpec;
import io.parley.resource.gateway.BackendRef;
import io.parley.resource.gateway.ObjectRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why gateways speak to a port of a Service as they do: what each object says, and what each route makes of it. */
final class BackendExplainer {
    private final World world;
    private final GatewayReports reports;
    private final Name service;
    private final int port;
    private final List<Step> steps = new ArrayList<>();

    private BackendExplainer(World world, GatewayReports reports, Name service, int port) {
        this.world = world;
        this.reports = reports;
        this.service = service;
        this.port = port;
    }

    /**
     * Explains.
     *
     * @param route the one that is asked about; null for all that lead there
     */
    static Explanation explain(World world, GatewayReports reports, Name service, int port, @Nullable RouteName route) {
        return new BackendExplainer(world, reports, service, port).explain(route);
    }

    private Explanation explain(@Nullable RouteName route) {
        ServiceSpec spec = world.services()
                .find(service)
                .orElseThrow(() ->
                        new UnknownName("Service/" + service + " does not exist (expected: one that was applied)"));
        List<ServiceSpec.Port> entries =
                spec.ports().stream().filter(each -> each.number() == port).toList();
        if (entries.isEmpty()) {
            throw new UnknownName("Service/" + service + " has no port " + port + " (expected: one of "
                    + spec.ports().stream().map(ServiceSpec.Port::number).toList() + ")");
        }
        entries.forEach(this::entry);
        entries.forEach(this::slices);
        policies();
        routes(route);
        seen();
        return new Explanation("How is port " + port + " of Service/" + service + " spoken to?", steps);
    }

    private void entry(ServiceSpec.Port entry) {
        String declared = entry.appProtocol();
        steps.add(new Step(
                "Service port",
                entry.number() + "/" + entry.transport() + (entry.name().isEmpty() ? "" : " (" + entry.name() + ")"),
                declared == null ? "it declares no appProtocol" : "it declares appProtocol " + declared,
                "Service/" + service,
                "spec.ports[" + port + "].appProtocol",
                ""));
    }

    private void slices(ServiceSpec.Port entry) {
        world.slices()
                .find(service)
                .orElse(Tree.empty())
                .forEach((name, slice) -> slice.ports().stream()
                        .filter(each -> each.name().equals(entry.name()) && each.transport() == entry.transport())
                        .forEach(each -> slice(name, slice, each)));
    }

    private void slice(String name, EndpointSliceSpec slice, EndpointSliceSpec.Port found) {
        long ready = slice.endpoints().stream()
                .filter(EndpointSliceSpec.Endpoint::ready)
                .count();
        String declared = found.appProtocol();
        steps.add(new Step(
                "EndpointSlice",
                ready + " of " + slice.endpoints().size() + " endpoints ready on port " + found.number(),
                declared == null ? "it declares no appProtocol" : "it declares appProtocol " + declared,
                "EndpointSlice/" + service.namespace() + "/" + name,
                "ports[].appProtocol",
                ""));
    }

    private void policies() {
        world.policiesIn(service.namespace()).stream()
                .filter(policy -> Policies.isFor(policy, service))
                .forEach(policy -> steps.add(new Step(
                        "BackendTLSPolicy",
                        policy.name().toString(),
                        "it has TLS spoken to " + policy.spec().hostname(),
                        "BackendTLSPolicy/" + policy.name(),
                        "spec.targetRefs",
                        "")));
    }

    private void routes(@Nullable RouteName asked) {
        BackendResolver resolver = new BackendResolver(world);
        BackendRef ref = new BackendRef(new ObjectRef("", "Service", service.namespace(), service.name()), port, 1);
        List<RouteName> routes = new ArrayList<>();
        world.routes().forEach((name, declared) -> {
            if ((asked == null || asked.equals(name))
                    && RouteBackends.of(declared.spec())
                            .anyMatch(
                                    each -> BackendResolver.service(name, each).equals(service)
                                            && Integer.valueOf(port).equals(each.port()))) {
                routes.add(name);
            }
        });
        if (asked != null && routes.isEmpty()) {
            throw new UnknownName(asked + " does not lead to port " + port + " of Service/" + service);
        }
        routes.forEach(name -> steps.add(step(name.toString(), resolver.reach(name, ref))));
        if (routes.isEmpty()) {
            RouteName none = new RouteName(RouteKind.HTTP, service);
            steps.add(step("no route leads there; an HTTPRoute beside it", resolver.reach(none, ref)));
        }
    }

    /** What proxies saw of it themselves. */
    private void seen() {
        for (GatewayReports.Said said : reports.about(service + ":" + port + "|")) {
            Decision<String> decision = said.made().decision();
            steps.add(new Step(
                    "seen by " + said.gateway(),
                    decision.value(),
                    decision.because(),
                    "cluster " + said.made().subject(),
                    "",
                    decision.source().rule()));
        }
    }

    private static Step step(String about, Reached reached) {
        return switch (reached) {
            case Reached.Broken(var reason, String message) ->
                new Step(about, reason.isOfRoute() ? reason.word() : "invalid policy", message, "", "", "");
            case Reached.Usable(var target, Decision<Resolution> decision) -> {
                String remarks = Optional.of(decision.value())
                        .filter(Resolution.Speak.class::isInstance)
                        .map(value -> String.join("; ", ((Resolution.Speak) value).remarks()))
                        .filter(text -> !text.isEmpty())
                        .map(text -> "; but " + text)
                        .orElse("");
                yield new Step(
                        about,
                        "speaks " + target.protocols(),
                        decision.because() + remarks,
                        decision.source().resource(),
                        decision.source().field(),
                        decision.source().rule());
            }
        };
    }
}
