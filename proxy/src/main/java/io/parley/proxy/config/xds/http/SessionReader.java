package io.parley.proxy.config.xds.http;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute;
import io.envoyproxy.envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState;
import io.envoyproxy.envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState;
import io.envoyproxy.envoy.type.http.v3.Cookie;
import io.parley.proxy.http.Affinity;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads what keeps a session with its endpoint. */
final class SessionReader {
    private static final String FILTER = "envoy.filters.http.stateful_session";

    private static final String EXTRAS = "io.parley";
    private static final Pattern TIME = Pattern.compile("[0-9]{1,15}");

    private SessionReader() {}

    /** Empty if a route has no sessions. */
    static Optional<Affinity> read(Route from, Problems problems) {
        requireNone(from.getTypedPerFilterConfigMap(), Set.of(FILTER), problems);
        Any config = from.getTypedPerFilterConfigMap().get(FILTER);
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
                                    here.under("stateful_session.session_state"))
                            .map(carrier -> new Affinity.Session(
                                    carrier,
                                    time(from, "session-life-millis", problems),
                                    time(from, "session-idle-millis", problems)));
        } catch (InvalidProtocolBufferException e) {
            here.add("", "unreadable: " + e.getMessage());
            return Optional.empty();
        }
    }

    /** Whoever keeps sessions for a whole host, or under a name that nobody reads, must not believe that they are kept. */
    static void requireNone(Map<String, Any> filters, Set<String> read, Problems problems) {
        filters.forEach((name, config) -> {
            if (!read.contains(name) && config.is(StatefulSessionPerRoute.class)) {
                problems.add(
                        "typed_per_filter_config[" + name + "]",
                        "a session (expected: in a route, under " + FILTER + ")");
            }
        });
    }

    /** What Envoy has no field for stands in the metadata. */
    private static Duration time(Route route, String name, Problems problems) {
        String text = route.getMetadata()
                .getFilterMetadataOrDefault(EXTRAS, Struct.getDefaultInstance())
                .getFieldsOrDefault(name, Value.newBuilder().setStringValue("0").build())
                .getStringValue();
        if (!TIME.matcher(text).matches()) {
            problems.add("metadata[" + EXTRAS + "]." + name, text + " (expected: milliseconds)");
            return Duration.ZERO;
        }
        return Duration.ofMillis(Long.parseLong(text));
    }

    private static Optional<Affinity.Carrier> carrier(Any state, Problems problems)
            throws InvalidProtocolBufferException {
        if (state.is(CookieBasedSessionState.class)) {
            Cookie cookie = state.unpack(CookieBasedSessionState.class).getCookie();
            return Optional.of(ActionReader.cookie(cookie.getName(), cookie.getTtl(), cookie.getPath(), problems));
        }
        if (state.is(HeaderBasedSessionState.class)) {
            String name = state.unpack(HeaderBasedSessionState.class).getName();
            return Optional.of(new Affinity.Header(
                    WireText.field(name, problems.under("name")).toLowerCase(Locale.ROOT)));
        }
        problems.add("", state.getTypeUrl() + " (expected: cookie or header)");
        return Optional.empty();
    }
}
