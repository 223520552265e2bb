package io.parley.proxy.gateway;

import static io.parley.proxy.gateway.Calls.http1;
import static io.parley.proxy.gateway.Gateway.prefix;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.config.core.v3.RuntimeFractionalPercent;
import io.envoyproxy.envoy.config.route.v3.DirectResponseAction;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.type.v3.FractionalPercent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Routes that are for a share of the requests. */
class RouteSharesTest {
    private final Gateway gateway = new Gateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void aRouteForNoneIsPassedOverAndOneForAllIsTaken() {
        gateway.http(answer(share(0), "none"), answer(share(100), "all"), answer(prefix("/"), "others"));
        assertThat(http1(gateway.port(), "/").contentUtf8()).isEqualTo("all");
    }

    @Test
    void aShareThatComesFromElsewhereIsRefusedByName() {
        RouteMatch match = share(100).toBuilder()
                .setRuntimeFraction(share(100).getRuntimeFraction().toBuilder().setRuntimeKey("key"))
                .build();
        assertThatThrownBy(() -> gateway.http(answer(match, "all")))
                .hasMessageContaining("match.runtime_fraction.runtime_key: key (expected: none");
    }

    private static RouteMatch share(int percent) {
        return prefix("/").toBuilder()
                .setRuntimeFraction(RuntimeFractionalPercent.newBuilder()
                        .setDefaultValue(FractionalPercent.newBuilder().setNumerator(percent)))
                .build();
    }

    private static Route answer(RouteMatch match, String text) {
        return Route.newBuilder()
                .setMatch(match)
                .setDirectResponse(DirectResponseAction.newBuilder()
                        .setStatus(200)
                        .setBody(DataSource.newBuilder().setInlineString(text)))
                .build();
    }
}
