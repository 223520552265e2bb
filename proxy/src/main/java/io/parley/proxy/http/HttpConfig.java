package io.parley.proxy.http;

import java.util.List;
import java.util.Map;

/**
 * What holds for HTTP on one way through the proxy: an outbound service, or a port of the application.
 *
 * @param name by which open connections find the current version of it; one for each way
 * @param routes where requests go
 * @param policies what holds where a host or a route says nothing else
 * @param paths what is done to a path before anything looks at it
 * @param trustedHops how many proxies before this one are believed about where a request comes from; 0 unless this is the edge
 * @param telling who hears of requests
 */
public record HttpConfig(
        String name,
        RouteTable routes,
        Policies policies,
        HttpTimeouts timeouts,
        HttpLimits limits,
        PathHandling paths,
        Forwarding forwarding,
        int trustedHops,
        Telling telling) {
    /** More proxies in a row than that nobody has. */
    public static final int MOST_TRUSTED_HOPS = 16;

    /** What becomes of the ways in which one path can be written. */
    public enum PathHandling {
        /** Nobody looks at the path, so nobody can be fooled by it. */
        UNTOUCHED,

        /** Dot segments are resolved, slashes merged, and an escaped slash or backslash is refused. */
        NORMALISED
    }

    /** What becomes of headers that tell where a request came from. */
    public enum Forwarding {
        /** They stay as they are if they come from a member of the mesh, and are removed if not. */
        FROM_MEMBERS,

        /** The same, and the application is told which member of the mesh asks, by the name in its certificate. */
        FROM_NAMED_MEMBERS,

        /** This proxy is the edge: they are removed, and the client's address is written. */
        EDGE,

        /** They stay as they are: the client is the application beside the proxy. */
        KEPT
    }

    /**
     * Whether nothing but requests may pass: access rules are enforced on them, or servers believe what they say of their client, as this
     * proxy writes it. What it takes for no request it could neither judge nor free from what is forged.
     */
    public boolean admitsRequestsOnly() {
        return routes.judgesRequests()
                || policies.judgeRequests()
                || forwarding == Forwarding.FROM_NAMED_MEMBERS
                || forwarding == Forwarding.EDGE;
    }

    /** Everything goes to one cluster, as it came. */
    public static HttpConfig simple(String name, String cluster, Forwarding forwarding) {
        return simple(name, cluster, forwarding, HttpDefaults.USUAL);
    }

    /** The same within these limits. */
    static HttpConfig simple(String name, String cluster, Forwarding forwarding, HttpDefaults usual) {
        return everything(name, cluster, Policies.NONE, forwarding, usual);
    }

    /** The same at the edge, behind so many proxies that are believed. */
    public HttpConfig behind(int hops) {
        return new HttpConfig(name, routes, policies, timeouts, limits, paths, Forwarding.EDGE, hops, telling);
    }

    /** No request may pass. */
    public static HttpConfig denying(String name) {
        AccessRules nobody = new AccessRules(AccessRules.Effect.ALLOW, List.of(), AccessRules.Mode.ENFORCED);
        return everything(
                name,
                "",
                new Policies(null, null, Map.of("deny", List.of(nobody)), null),
                Forwarding.FROM_MEMBERS,
                HttpDefaults.USUAL);
    }

    private static HttpConfig everything(
            String name, String cluster, Policies policies, Forwarding forwarding, HttpDefaults usual) {
        Route route = Route.to(cluster, usual.answer());
        return new HttpConfig(
                name,
                new RouteTable(name, List.of(new VirtualHost("all", List.of("*"), List.of(route), Policies.NONE))),
                policies,
                usual.timeouts(),
                usual.limits(),
                PathHandling.UNTOUCHED,
                forwarding,
                0,
                Telling.NOTHING);
    }
}
