package io.parley.control.gateway.xds;

import static io.parley.control.draft.Protos.any;
import static io.parley.control.draft.Protos.duration;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSession;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute;
import io.envoyproxy.envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState;
import io.envoyproxy.envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState;
import io.envoyproxy.envoy.type.http.v3.Cookie;
import io.parley.resource.gateway.Session;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Clients that are kept at one endpoint. */
final class Sessions {
    static final String FILTER = "envoy.filters.http.stateful_session";
    private static final String USUAL_NAME = "parley-session";

    private Sessions() {}

    static Any of(Session session) {
        String name = session.name() == null ? USUAL_NAME : session.name();
        return any(StatefulSessionPerRoute.newBuilder()
                .setStatefulSession(StatefulSession.newBuilder()
                        .setSessionState(
                                switch (session.type()) {
                                    case COOKIE ->
                                        extension(
                                                "envoy.http.stateful_session.cookie",
                                                CookieBasedSessionState.newBuilder()
                                                        .setCookie(cookie(session, name))
                                                        .build());
                                    case HEADER ->
                                        extension(
                                                "envoy.http.stateful_session.header",
                                                HeaderBasedSessionState.newBuilder()
                                                        .setName(name)
                                                        .build());
                                }))
                .build());
    }

    /** What Envoy has no fields for: how long a session may last in all, and without a request. Empty if as long as it likes. */
    static Map<String, String> times(Session session) {
        Map<String, String> times = new TreeMap<>();
        note("session-life-millis", session.absoluteTimeout(), times);
        note("session-idle-millis", session.idleTimeout(), times);
        return times;
    }

    private static void note(String name, @Nullable Duration time, Map<String, String> times) {
        if (time != null && !time.isZero()) {
            times.put(name, Long.toString(time.toMillis()));
        }
    }

    private static Cookie cookie(Session session, String name) {
        Cookie.Builder cookie = Cookie.newBuilder().setName(name).setPath("/");
        if (session.lifetime() == Session.Lifetime.PERMANENT && session.absoluteTimeout() != null) {
            cookie.setTtl(duration(session.absoluteTimeout()));
        }
        return cookie.build();
    }

    private static TypedExtensionConfig extension(String name, Message config) {
        return TypedExtensionConfig.newBuilder()
                .setName(name)
                .setTypedConfig(any(config))
                .build();
    }
}
