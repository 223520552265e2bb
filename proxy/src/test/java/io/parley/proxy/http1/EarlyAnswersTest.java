package io.parley.proxy.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.Fault;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RateLimit;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the proxy answers by itself before it has read the request: nothing of what follows may be taken for the next one. */
class EarlyAnswersTest {
    private static final String REQUEST = "POST / HTTP/1.1\r\nHost: x\r\n";

    private static Route route(RouteAction action, Policies policies) {
        return new Route("r", RequestMatch.ANY, action, FieldEdits.NONE, FieldEdits.NONE, policies);
    }

    private static Route guarded(Policies policies) {
        return route(RouteAction.Forward.to("app"), policies);
    }

    static Stream<Arguments> endTheConnection() {
        AccessRules nobody = new AccessRules(AccessRules.Effect.ALLOW, List.of(), AccessRules.Mode.ENFORCED);
        RateLimit none = new RateLimit(0, Duration.ofSeconds(1), 429, FieldEdits.NONE);
        Fault late = new Fault(List.of(), new Fault.Delay(Duration.ofMillis(20), RequestMatch.ALL), null, null);
        return Stream.of(
                Arguments.of(403, List.of(guarded(new Policies(null, null, Map.of("rbac", List.of(nobody)), null)))),
                Arguments.of(404, List.of()),
                Arguments.of(418, List.of(route(new RouteAction.Respond(418, ""), Policies.NONE))),
                Arguments.of(429, List.of(guarded(new Policies(null, none, Map.of(), null)))),
                Arguments.of(503, List.of(Route.to("nowhere"))),
                Arguments.of(503, List.of(Route.to("app"))),
                Arguments.of(503, List.of(guarded(new Policies(List.of(late), null, Map.of(), null)))));
    }

    /** The port of the cluster is nobody's. */
    @ParameterizedTest
    @MethodSource
    void endTheConnection(int status, List<Route> routes) throws IOException {
        for (String framing : List.of("Content-Length: 1000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n3e8\r\n")) {
            try (HttpProxy proxy = HttpProxy.routing(routes, HttpProxy.cluster("app", Version.HTTP1, 1));
                    Client client = Client.to(proxy.address())) {
                String answer = client.send(REQUEST + framing + Smuggling.HIDDEN + Smuggling.HIDDEN)
                        .readAll();
                assertThat(answer).startsWith("HTTP/1.1 " + status).contains("\r\nconnection: close\r\n");
                assertThat(answer.split("HTTP/1.1 ", -1)).hasSize(2);
                assertThat(proxy.counted("request_total")).isLessThanOrEqualTo(1);
            }
        }
    }
}
