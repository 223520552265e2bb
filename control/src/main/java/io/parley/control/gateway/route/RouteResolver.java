package io.parley.control.gateway.route;

import io.parley.agreement.backend.Resolution;
import io.parley.control.gateway.model.Declared;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.RouteName;
import io.parley.control.gateway.model.World;
import io.parley.resource.gateway.BackendRef;
import io.parley.resource.gateway.GrpcRouteSpec;
import io.parley.resource.gateway.HttpRouteSpec;
import io.parley.resource.gateway.HttpRule;
import io.parley.resource.gateway.RouteFilter;
import io.parley.resource.gateway.RouteSpec;
import io.parley.resource.gateway.StreamRouteSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Follows all references of a route. Pure: the same world gives the same route. */
public final class RouteResolver {
    private final RouteName name;
    private final BackendResolver backends;
    private final List<ResolvedRoute.Trouble> trouble = new ArrayList<>();
    private final Set<String> remarks = new LinkedHashSet<>();
    private final Set<Name> services = new LinkedHashSet<>();
    private final Set<String> namespaces = new LinkedHashSet<>();

    private RouteResolver(RouteName name, World world) {
        this.name = name;
        this.backends = new BackendResolver(world);
    }

    public static ResolvedRoute resolve(World world, RouteName name, Declared<RouteSpec> route) {
        return new RouteResolver(name, world).resolve(route);
    }

    private ResolvedRoute resolve(Declared<RouteSpec> route) {
        List<ResolvedRule> rules = new ArrayList<>();
        switch (route.spec()) {
            case HttpRouteSpec http -> http.rules().forEach(rule -> rules.add(rule(rules.size(), rule)));
            case GrpcRouteSpec grpc -> grpc.rules().forEach(rule -> rules.add(rule(rules.size(), rule)));
            case StreamRouteSpec stream -> stream.rules().forEach(rule -> rules.add(stream(rules.size(), rule)));
        }
        return new ResolvedRoute(name, route.created(), rules, trouble, List.copyOf(remarks), services, namespaces);
    }

    private ResolvedRule rule(int index, HttpRule rule) {
        List<ResolvedRule.Share> shares = new ArrayList<>();
        for (HttpRule.Backend backend : rule.backends()) {
            String where = "rules[" + index + "].backendRefs[" + shares.size() + "]";
            shares.add(new ResolvedRule.Share(
                    follow(where, backend.ref()), backend.ref().weight(), backend.filters()));
        }
        List<ResolvedRule.MirrorTo> mirrors = new ArrayList<>();
        int at = 0;
        for (RouteFilter filter : rule.filters()) {
            if (filter instanceof RouteFilter.Mirror(BackendRef ref, int numerator, int denominator)
                    && follow("rules[" + index + "].filters[" + at + "].requestMirror", ref)
                            instanceof Reached.Usable(Target target, var _)) {
                mirrors.add(new ResolvedRule.MirrorTo(target, numerator, denominator));
            }
            at++;
        }
        return new ResolvedRule(index, rule, shares, mirrors, dropped(rule));
    }

    private ResolvedRule stream(int index, StreamRouteSpec.Rule rule) {
        List<ResolvedRule.Share> shares = new ArrayList<>();
        for (BackendRef ref : rule.backends()) {
            String where = "rules[" + index + "].backendRefs[" + shares.size() + "]";
            shares.add(new ResolvedRule.Share(follow(where, ref), ref.weight(), List.of()));
        }
        return new ResolvedRule(index, null, shares, List.of(), null);
    }

    private Reached follow(String where, BackendRef ref) {
        Name service = BackendResolver.service(name, ref);
        services.add(service);
        if (!service.namespace().equals(name.name().namespace())) {
            namespaces.add(service.namespace());
        }
        Reached reached = backends.reach(name, ref);
        switch (reached) {
            case Reached.Broken broken -> trouble.add(new ResolvedRoute.Trouble(where, broken));
            case Reached.Usable usable -> {
                if (usable.decision().value() instanceof Resolution.Speak speak) {
                    remarks.addAll(speak.remarks());
                }
            }
        }
        return reached;
    }

    /** A filter that is not applied might be one that guards something, so its rule is not served at all. */
    private static @Nullable String dropped(HttpRule rule) {
        for (RouteFilter filter : rule.filters()) {
            if (filter instanceof RouteFilter.Foreign(String type)) {
                return "filter " + type + " (expected: a filter that this gateway has)";
            }
            if (filter instanceof RouteFilter.Unfit(String why)) {
                return why;
            }
        }
        for (HttpRule.Backend backend : rule.backends()) {
            for (RouteFilter filter : backend.filters()) {
                if (filter instanceof RouteFilter.Unfit(String why)) {
                    return why;
                }
                if (!(filter instanceof RouteFilter.RequestHeaders || filter instanceof RouteFilter.ResponseHeaders)) {
                    return "a filter of a backend that is no header modifier (expected: it on the rule)";
                }
            }
        }
        return null;
    }
}
