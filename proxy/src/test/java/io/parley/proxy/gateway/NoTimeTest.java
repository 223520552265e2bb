package io.parley.proxy.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy;
import io.envoyproxy.envoy.config.route.v3.Route;
import org.junit.jupiter.api.Test;

/** A time of zero is no limit. */
class NoTimeTest {
    @Test
    void aRequestMayTakeAsLongAsItLikes() {
        try (EchoServer backend = EchoServer.start("one");
                Gateway gateway = new Gateway()) {
            Route.Builder route = Gateway.to("/", "one").toBuilder();
            route.getRouteBuilder()
                    .setTimeout(Duration.getDefaultInstance())
                    .setRetryPolicy(RetryPolicy.newBuilder().setPerTryTimeout(Duration.getDefaultInstance()));
            gateway.backend(Gateway.http1("one"), backend.port()).http(route.build());

            assertThat(Calls.http1(gateway.port(), "/slow/one").status().code()).isEqualTo(200);
        }
    }
}
