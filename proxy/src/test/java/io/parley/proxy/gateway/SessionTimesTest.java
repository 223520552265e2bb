package io.parley.proxy.gateway;

import static io.parley.proxy.config.xds.Resources.extras;
import static io.parley.proxy.gateway.Calls.http1;
import static io.parley.proxy.gateway.Calls.said;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSession;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute;
import io.envoyproxy.envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState;
import io.envoyproxy.envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState;
import io.envoyproxy.envoy.type.http.v3.Cookie;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions that end when nobody uses them, or when they are old. */
class SessionTimesTest {
    private static final String FIELD = "x-session";
    private static final int CALLS = 6;

    private final EchoServer one = EchoServer.start("one");
    private final EchoServer two = EchoServer.start("two");
    private final Gateway gateway =
            new Gateway().backend(Gateway.http1("one"), one.port()).backend(Gateway.http1("two"), two.port());

    @AfterEach
    void close() {
        gateway.close();
        one.close();
        two.close();
    }

    private void sessions(Message state, Map<String, String> times) {
        Route route = ProtocolsTest.weighted("one", 1, "two", 1).toBuilder()
                .putTypedPerFilterConfig(
                        "envoy.filters.http.stateful_session",
                        Any.pack(StatefulSessionPerRoute.newBuilder()
                                .setStatefulSession(StatefulSession.newBuilder()
                                        .setSessionState(TypedExtensionConfig.newBuilder()
                                                .setName("state")
                                                .setTypedConfig(Any.pack(state))))
                                .build()))
                .setMetadata(extras(times))
                .build();
        gateway.http(route);
    }

    private static Message inField() {
        return HeaderBasedSessionState.newBuilder().setName(FIELD).build();
    }

    /** The same token, as if all of it had happened earlier. */
    private static String earlier(String token, Duration began, Duration used) {
        List<String> parts = List.of(token.split("\\.", -1));
        return parts.get(0) + "." + shifted(parts.get(1), began) + "." + shifted(parts.get(2), used);
    }

    private static String shifted(String time, Duration by) {
        return Long.toString(Long.parseLong(time, 36) - by.toMillis(), 36);
    }

    private String token() {
        return String.valueOf(http1(gateway.port(), "/").headers().get(FIELD));
    }

    @Test
    void oneThatIsUsedGoesOn_andEachAnswerSaysThatItWas() {
        sessions(inField(), Map.of("session-idle-millis", "600000"));
        AggregatedHttpResponse first = http1(gateway.port(), "/");
        String token = String.valueOf(first.headers().get(FIELD));

        for (int call = 0; call < CALLS; call++) {
            String shown = earlier(token, Duration.ofDays(1), Duration.ofMinutes(9));
            AggregatedHttpResponse next = http1(gateway.port(), "/", FIELD, shown);
            assertThat(said(next, "server")).isEqualTo(said(first, "server"));
            String given = String.valueOf(next.headers().get(FIELD));
            assertThat(given.split("\\.", -1)[1]).as("when it began").isEqualTo(shown.split("\\.", -1)[1]);
            assertThat(given).isNotEqualTo(shown);
        }
    }

    @Test
    void oneThatWasNotUsedIsOver() {
        sessions(inField(), Map.of("session-idle-millis", "600000"));
        String shown = earlier(token(), Duration.ofMinutes(11), Duration.ofMinutes(11));

        assertThat(http1(gateway.port(), "/", FIELD, shown).headers().get(FIELD))
                .as("another session")
                .doesNotContain(shown.split("\\.", -1)[1]);
    }

    @Test
    void oneThatIsOldIsOverHoweverMuchItIsUsed() {
        sessions(inField(), Map.of("session-life-millis", "3600000"));
        String token = token();

        String old = earlier(token, Duration.ofMinutes(61), Duration.ZERO);
        assertThat(http1(gateway.port(), "/", FIELD, old).headers().get(FIELD)).isNotNull();
        String young = earlier(token, Duration.ofMinutes(59), Duration.ZERO);
        assertThat(http1(gateway.port(), "/", FIELD, young).headers().get(FIELD))
                .as("the one that it has holds")
                .isNull();
    }

    @Test
    void aPermanentCookieIsGivenForWhatIsLeftOfItsLife() {
        Cookie cookie = Cookie.newBuilder()
                .setName("sticky")
                .setPath("/")
                .setTtl(com.google.protobuf.Duration.newBuilder().setSeconds(3_600))
                .build();
        sessions(
                CookieBasedSessionState.newBuilder().setCookie(cookie).build(),
                Map.of("session-life-millis", "3600000", "session-idle-millis", "600000"));
        String set = String.valueOf(http1(gateway.port(), "/").headers().get("set-cookie"));
        assertThat(set).contains("; Max-Age=3600;");
        String token = set.substring("sticky=".length(), set.indexOf(';'));

        String later = earlier(token, Duration.ofMinutes(50), Duration.ofMinutes(5));
        String again = String.valueOf(http1(gateway.port(), "/", "cookie", "sticky=" + later)
                .headers()
                .get("set-cookie"));

        assertThat(again).matches(".*; Max-Age=(600|5[0-9][0-9]);.*");
    }

    @Test
    void aTimeThatIsNoneIsRefused() {
        assertThatThrownBy(() -> sessions(inField(), Map.of("session-idle-millis", "soon")))
                .hasMessageContaining("soon (expected: milliseconds)");
    }
}
