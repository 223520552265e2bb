package io.parley.proxy.config.xds.http;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute;
import io.envoyproxy.envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState;
import io.envoyproxy.envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState;
import io.envoyproxy.envoy.type.http.v3.Cookie;
import io.parley.proxy.http.Affinity;
import java.util.Map;
import java.util.Optional;

/** Reads what keeps a session with its endpoint. */
final class SessionReader {
    private static final String FILTER = "envoy.filters.http.stateful_session";

    private SessionReader() {}

    /** Empty if a route has no sessions. */
    static Optional<Affinity> read(Map<String, Any> filters, Problems problems) {
        Any config = filters.get(FILTER);
        if (config == null) {
            return Optional.empty();
        }
        Problems here = problems.under("typed_per_filter_config[" + FILTER + "]");
        try {
            StatefulSessionPerRoute route = config.unpack(StatefulSessionPerRoute.class);
            return route.getDisabled()
                    ? Optional.empty()
                    : carrier(
                            route.getStatefulSession().getSessionState().getTypedConfig(),
                            here.under("stateful_session.session_state"));
        } catch (InvalidProtocolBufferException e) {
            here.add("", "unreadable: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static Optional<Affinity> carrier(Any state, Problems problems) throws InvalidProtocolBufferException {
        if (state.is(CookieBasedSessionState.class)) {
            Cookie cookie = state.unpack(CookieBasedSessionState.class).getCookie();
            return named(
                    cookie.getName(),
                    new Affinity.Cookie(
                            cookie.getName(),
                            ActionReader.duration(cookie.getTtl()),
                            cookie.getPath().isEmpty() ? "/" : cookie.getPath()),
                    problems);
        }
        if (state.is(HeaderBasedSessionState.class)) {
            String name = state.unpack(HeaderBasedSessionState.class).getName();
            return named(name, new Affinity.Header(name.toLowerCase(java.util.Locale.ROOT)), problems);
        }
        problems.add("", state.getTypeUrl() + " (expected: cookie or header)");
        return Optional.empty();
    }

    private static Optional<Affinity> named(String name, Affinity.Carrier carrier, Problems problems) {
        boolean token = !name.isEmpty() && name.chars().allMatch(c -> c > 0x20 && c < 0x7f && "=;,\"".indexOf(c) < 0);
        if (!token) {
            problems.add("name", name + " (expected: the name of a cookie or header field)");
        }
        return Optional.of(new Affinity.Session(carrier));
    }
}
