package io.parley.proxy.config.xds.http;

import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http.HttpConfig.PathHandling;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.RouteTable;
import io.parley.proxy.http.Telling;
import io.parley.proxy.http.VirtualHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads Envoy's route tables and connection managers. */
public final class HttpReading {
    /**
     * What a connection manager says apart from the routes.
     *
     * @param paths what is asked for, whoever looks at them
     * @param edge whether clients are strangers who do not know where requests came from
     * @param trustedHops how many proxies before this one know it
     * @param callersTold whether the application is told which member of the mesh asks
     * @param telling who hears of requests
     */
    public record Manager(
            Policies policies,
            HttpTimeouts timeouts,
            HttpLimits limits,
            PathHandling paths,
            boolean edge,
            int trustedHops,
            boolean callersTold,
            Telling telling) {
        /** With its routes; {@code name} must be one for each way through the proxy, {@code absent} holds unless this is the edge. */
        public HttpConfig with(String name, RouteTable routes, Forwarding absent) {
            boolean looksAtPaths = !policies.isEmpty()
                    || routes.hosts().stream()
                            .anyMatch(host -> !host.policies().isEmpty()
                                    || host.routes().stream().anyMatch(Route::looksAtPaths));
            return new HttpConfig(
                    name,
                    routes,
                    policies,
                    timeouts,
                    limits,
                    looksAtPaths ? PathHandling.NORMALISED : paths,
                    edge ? Forwarding.EDGE : among(absent),
                    trustedHops,
                    telling);
        }

        /** Only beside an application are clients members who have shown a certificate. */
        private Forwarding among(Forwarding absent) {
            return callersTold && absent == Forwarding.FROM_MEMBERS ? Forwarding.FROM_NAMED_MEMBERS : absent;
        }
    }

    private HttpReading() {}

    /** Reads a route table. */
    public static RouteTable routes(RouteConfiguration config, Problems problems) {
        FieldEdits request = FieldReader.read(
                config.getRequestHeadersToAddList(),
                config.getRequestHeadersToRemoveList(),
                problems.under("request_headers_to_add"));
        FieldEdits response = FieldReader.read(
                config.getResponseHeadersToAddList(),
                config.getResponseHeadersToRemoveList(),
                problems.under("response_headers_to_add"));
        List<VirtualHost> hosts = new ArrayList<>();
        for (int i = 0; i < config.getVirtualHostsCount(); i++) {
            hosts.add(host(config.getVirtualHosts(i), request, response, problems.under("virtual_hosts[" + i + "]")));
        }
        return new RouteTable(config.getName(), hosts);
    }

    private static VirtualHost host(
            io.envoyproxy.envoy.config.route.v3.VirtualHost host,
            FieldEdits tableRequest,
            FieldEdits tableResponse,
            Problems problems) {
        FieldEdits request = FieldReader.together(
                FieldReader.read(
                        host.getRequestHeadersToAddList(),
                        host.getRequestHeadersToRemoveList(),
                        problems.under("request_headers_to_add")),
                tableRequest);
        FieldEdits response = FieldReader.together(
                FieldReader.read(
                        host.getResponseHeadersToAddList(),
                        host.getResponseHeadersToRemoveList(),
                        problems.under("response_headers_to_add")),
                tableResponse);
        SessionReader.requireNone(host.getTypedPerFilterConfigMap(), Set.of(), problems);
        List<Route> routes = new ArrayList<>();
        for (int i = 0; i < host.getRoutesCount(); i++) {
            routes.add(route(host.getRoutes(i), i, request, response, problems.under("routes[" + i + "]")));
        }
        return new VirtualHost(
                host.getName(),
                host.getDomainsList(),
                routes,
                PolicyReader.perRoute(host.getTypedPerFilterConfigMap(), problems));
    }

    private static Route route(
            io.envoyproxy.envoy.config.route.v3.Route route,
            int index,
            FieldEdits hostRequest,
            FieldEdits hostResponse,
            Problems problems) {
        RequestMatch match = Matchers.request(route.getMatch(), problems.under("match"));
        FieldEdits request = FieldReader.read(
                route.getRequestHeadersToAddList(),
                route.getRequestHeadersToRemoveList(),
                problems.under("request_headers_to_add"));
        FieldEdits response = FieldReader.read(
                route.getResponseHeadersToAddList(),
                route.getResponseHeadersToRemoveList(),
                problems.under("response_headers_to_add"));
        return new Route(
                route.getName().isEmpty() ? "route-" + index : route.getName(),
                match,
                action(route, match, problems),
                FieldReader.together(request, hostRequest),
                FieldReader.together(response, hostResponse),
                PolicyReader.perRoute(route.getTypedPerFilterConfigMap(), problems));
    }

    private static RouteAction action(
            io.envoyproxy.envoy.config.route.v3.Route route, RequestMatch match, Problems problems) {
        return switch (route.getActionCase()) {
            case ROUTE ->
                ActionReader.forward(
                        route.getRoute(), match.path(), SessionReader.read(route, problems), problems.under("route"));
            case REDIRECT -> ActionReader.redirect(route.getRedirect(), match.path(), problems.under("redirect"));
            case DIRECT_RESPONSE ->
                new RouteAction.Respond(
                        WireText.status(
                                route.getDirectResponse().getStatus(), problems.under("direct_response.status")),
                        body(route.getDirectResponse().getBody(), problems.under("direct_response.body")));
            case FILTER_ACTION, NON_FORWARDING_ACTION, ACTION_NOT_SET -> {
                problems.add("", route.getActionCase() + " (expected: route, redirect or direct_response)");
                yield new RouteAction.Respond(500, "");
            }
        };
    }

    private static String body(DataSource body, Problems problems) {
        if (!body.getInlineBytes().isValidUtf8()) {
            problems.add("inline_bytes", "no text (expected: UTF-8)");
        }
        return body.hasInlineString()
                ? body.getInlineString()
                : body.getInlineBytes().toStringUtf8();
    }

    /** Reads what a connection manager says apart from the routes. */
    public static Manager manager(HttpConnectionManager manager, Problems problems) {
        requireUsual(manager, problems);
        PolicyReader policies = new PolicyReader();
        for (int i = 0; i < manager.getHttpFiltersCount(); i++) {
            var filter = manager.getHttpFilters(i);
            policies.add(filter.getName(), filter.getTypedConfig(), problems.under("http_filters[" + i + "]"));
        }
        HttpTimeouts absent = HttpTimeouts.DEFAULT;
        var common = manager.getCommonHttpProtocolOptions();
        HttpTimeouts timeouts = new HttpTimeouts(
                manager.hasRequestHeadersTimeout()
                        ? ActionReader.duration(manager.getRequestHeadersTimeout())
                        : absent.head(),
                common.hasIdleTimeout() ? ActionReader.duration(common.getIdleTimeout()) : absent.idle(),
                manager.hasStreamIdleTimeout()
                        ? ActionReader.duration(manager.getStreamIdleTimeout())
                        : absent.streamIdle(),
                manager.hasRequestTimeout() ? ActionReader.duration(manager.getRequestTimeout()) : absent.request());
        return new Manager(
                policies.policies(),
                timeouts,
                LimitReader.read(manager, problems).withBody(policies.maxBody()),
                paths(manager),
                manager.getUseRemoteAddress().getValue(),
                trustedHops(manager, problems),
                areCallersTold(manager, problems),
                telling(manager, problems));
    }

    private static int trustedHops(HttpConnectionManager manager, Problems problems) {
        long hops = Integer.toUnsignedLong(manager.getXffNumTrustedHops());
        if (hops > HttpConfig.MOST_TRUSTED_HOPS) {
            problems.add(
                    "xff_num_trusted_hops",
                    hops + " (expected: 0 to " + HttpConfig.MOST_TRUSTED_HOPS + ", the proxies before this one)");
            return 0;
        }
        return (int) hops;
    }

    /** There is one form of paths, with all that either of them asks for. */
    private static PathHandling paths(HttpConnectionManager manager) {
        return manager.getNormalizePath().getValue() || manager.getMergeSlashes()
                ? PathHandling.NORMALISED
                : PathHandling.UNTOUCHED;
    }

    /** A manager takes both versions and passes WebSockets, whether it is told to or not, and nothing else. */
    private static void requireUsual(HttpConnectionManager manager, Problems problems) {
        if (manager.getCodecType() == HttpConnectionManager.CodecType.HTTP3) {
            problems.add("codec_type", "HTTP3 (expected: AUTO, HTTP1 or HTTP2)");
        }
        for (int i = 0; i < manager.getUpgradeConfigsCount(); i++) {
            String type = manager.getUpgradeConfigs(i).getUpgradeType();
            if (!type.equalsIgnoreCase("websocket")) {
                problems.add("upgrade_configs[" + i + "].upgrade_type", type + " (expected: websocket)");
            }
        }
    }

    private static boolean areCallersTold(HttpConnectionManager manager, Problems problems) {
        return switch (manager.getForwardClientCertDetails()) {
            case SANITIZE -> false;
            case SANITIZE_SET -> {
                if (!manager.getSetCurrentClientCertDetails().getUri()) {
                    problems.add("set_current_client_cert_details.uri", "false (expected: true, all that is told)");
                }
                yield true;
            }
            case FORWARD_ONLY, APPEND_FORWARD, ALWAYS_FORWARD_ONLY, UNRECOGNIZED -> {
                problems.add(
                        "forward_client_cert_details",
                        manager.getForwardClientCertDetails() + " (expected: SANITIZE or SANITIZE_SET)");
                yield false;
            }
        };
    }

    private static Telling telling(HttpConnectionManager manager, Problems problems) {
        return Telling.of(
                LogReading.logs(manager.getAccessLogList(), problems),
                manager.hasTracing() ? TraceReader.read(manager.getTracing(), problems.under("tracing")) : null);
    }
}
