package io.parley.control.api;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Answers only under the names that this server has. A page of somebody else's whose name was made to point at this address
 * (DNS rebinding) arrives under that other name, and gets nothing.
 */
final class HostCheck implements DecoratingHttpServiceFunction {
    /** Kubelets, Prometheus and load balancers ask by address, or under names of their own. */
    private static final Set<String> PROBES = Set.of("/healthy", "/ready", "/metrics");

    private final Set<String> names;

    HostCheck(Set<String> names) {
        this.names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        this.names.addAll(names);
    }

    @Override
    public HttpResponse serve(HttpService next, ServiceRequestContext context, HttpRequest request) throws Exception {
        String host = hostOf(request.authority());
        if (!names.contains(host) && !PROBES.contains(context.path())) {
            return Json.problem(Problem.of(
                    HttpStatus.MISDIRECTED_REQUEST,
                    "misdirected",
                    "This is another server",
                    "host: " + host + " (expected: one of " + names + "; more with --host-name)"));
        }
        return next.serve(context, request);
    }

    private static String hostOf(@Nullable String authority) {
        if (authority == null) {
            return "";
        }
        String text = authority.toLowerCase(Locale.ROOT);
        if (text.startsWith("[")) {
            return text.substring(0, text.indexOf(']') + 1);
        }
        int colon = text.indexOf(':');
        return colon < 0 ? text : text.substring(0, colon);
    }
}
