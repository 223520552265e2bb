package io.parley.control.gateway.attach;

import io.parley.agreement.backend.RouteKind;
import io.parley.control.gateway.model.Name;
import io.parley.resource.gateway.ListenerSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A listener, and whether it can be there.
 *
 * @param protocol null if it is none that we know
 * @param kinds of routes that it takes
 * @param certificates Secrets that it shows certificates of
 * @param clients how certificates of clients are checked; null for not at all
 */
public record CheckedListener(
        ListenerSpec spec,
        @Nullable ListenerProtocol protocol,
        List<RouteKind> kinds,
        Verdict accepted,
        Verdict conflict,
        Verdict references,
        List<Name> certificates,
        @Nullable ClientCheck clients) {
    /**
     * How certificates of clients are checked.
     *
     * @param authorities PEM
     */
    public record ClientCheck(String authorities, boolean required) {}

    public CheckedListener {
        kinds = List.copyOf(kinds);
        certificates = List.copyOf(certificates);
    }

    /** Whether it is served. One with a bad entry among its kinds of routes serves the others. */
    public boolean isServed() {
        return protocol != null
                && accepted.good()
                && conflict.good()
                && (references.good() || (references.reason().equals("InvalidRouteKinds") && !kinds.isEmpty()));
    }

    public boolean isPassthrough() {
        ListenerSpec.Tls tls = spec.tls();
        return protocol == ListenerProtocol.TLS && tls != null && tls.mode() == ListenerSpec.Mode.PASSTHROUGH;
    }

    public String hostname() {
        String name = spec.hostname();
        return name == null ? Hostnames.ANY : name;
    }
}
