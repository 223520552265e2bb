package io.parley.control.api;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.parley.agreement.backend.RouteKind;
import io.parley.control.access.Action;
import io.parley.control.explain.UnknownName;
import io.parley.control.gateway.GatewayLine;
import io.parley.control.gateway.Gateways;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.RouteName;
import io.parley.resource.Violation;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code GET /explain/backend?backend=NAMESPACE/SERVICE:PORT[&route=KIND/NAMESPACE/NAME]} and {@code GET /inspect/gateways}. */
final class BackendEndpoint {
    private static final Pattern BACKEND = Pattern.compile("([^/:]+)/([^/:]+):([0-9]{1,5})");
    private static final Pattern ROUTE = Pattern.compile("([^/]+)/([^/]+)/([^/]+)");

    private final Gateways gateways;

    BackendEndpoint(Gateways gateways) {
        this.gateways = gateways;
    }

    HttpResponse backend(ServiceRequestContext context, AggregatedHttpRequest request) {
        Authentication.require(context, Action.READ);
        Matcher backend = match(BACKEND, "backend", context.queryParam("backend"), "NAMESPACE/SERVICE:PORT");
        try {
            return Json.answer(
                    HttpStatus.OK,
                    gateways.explain(
                            new Name(backend.group(1), backend.group(2)),
                            Integer.parseInt(backend.group(3)),
                            route(context.queryParam("route"))));
        } catch (UnknownName e) {
            throw Problem.notFound(String.valueOf(e.getMessage())).asException();
        }
    }

    HttpResponse gateways(ServiceRequestContext context, AggregatedHttpRequest request) {
        Authentication.require(context, Action.READ);
        List<GatewayLine> items = gateways.inspect();
        return Json.answer(HttpStatus.OK, Map.of("total", items.size(), "items", items));
    }

    private static @Nullable RouteName route(@Nullable String text) {
        if (text == null) {
            return null;
        }
        Matcher route = match(ROUTE, "route", text, "KIND/NAMESPACE/NAME, such as HTTPRoute/shop/cart");
        for (RouteKind kind : RouteKind.values()) {
            if (kind.word().equalsIgnoreCase(route.group(1))) {
                return new RouteName(kind, new Name(route.group(2), route.group(3)));
            }
        }
        throw invalid("route", text, "HTTPRoute, GRPCRoute, TLSRoute, TCPRoute or UDPRoute before the first /");
    }

    private static Matcher match(Pattern pattern, String field, @Nullable String text, String expected) {
        Matcher matcher = pattern.matcher(text == null ? "" : text);
        if (!matcher.matches()) {
            throw invalid(field, text == null ? "missing" : text, expected);
        }
        return matcher;
    }

    private static ProblemException invalid(String field, String found, String expected) {
        return Problem.invalid(
                        "The question is not complete.",
                        List.of(new Violation(field, found + " (expected: " + expected + ")")))
                .asException();
    }
}
