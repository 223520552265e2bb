package io.parley.proxy.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the requests that match.
 *
 * @param name for people and metrics
 * @param request changes to the header fields on the way to the server
 * @param response changes to the header fields on the way back
 */
public record Route(
        String name,
        RequestMatch match,
        RouteAction action,
        FieldEdits request,
        FieldEdits response,
        Policies policies) {
    /** Everything goes to this cluster, as it came, and may take as long as it takes. */
    public static Route to(String cluster) {
        return to(cluster, null);
    }

    /** The same, but the whole answer may take only so long; null for as long as it takes. */
    static Route to(String cluster, @Nullable Duration timeout) {
        return new Route(
                "default",
                RequestMatch.ANY,
                RouteAction.Forward.to(cluster, timeout),
                FieldEdits.NONE,
                FieldEdits.NONE,
                Policies.NONE);
    }

    /** Whether it matters how a path is written: to whom the route is for, to what must be passed, or to what becomes of the path. */
    public boolean looksAtPaths() {
        PathRewrite rewrite = switch (action) {
            case RouteAction.Forward forward -> forward.rewrite().path();
            case RouteAction.Redirect redirect -> redirect.path();
            case RouteAction.Respond _, RouteAction.Nothing _ -> Rewrite.NONE.path();
        };
        return !match.isUnconditional() || !policies.isEmpty() || !(rewrite instanceof PathRewrite.None);
    }
}
