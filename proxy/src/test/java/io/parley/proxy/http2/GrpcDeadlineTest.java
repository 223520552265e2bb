package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.Http2Error;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.RetryPolicy;
import io.parley.proxy.http.RetryPolicy.On;
import io.parley.proxy.http.Rewrite;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction.Forward;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that ends a call at its deadline resets its stream, as it does with one that it calls off for another reason. */
class GrpcDeadlineTest {
    private static Route retrying() {
        RetryPolicy twice = new RetryPolicy(
                List.of(),
                Set.of(On.RESET),
                Set.of(),
                List.of(),
                Set.of(),
                2,
                null,
                Duration.ofMillis(1),
                Duration.ofMillis(2),
                100);
        Forward app = new Forward(Forward.to("app").clusters(), Rewrite.NONE, null, null, twice, List.of(), List.of());
        return new Route("r", RequestMatch.ANY, app, FieldEdits.NONE, FieldEdits.NONE, Policies.NONE);
    }

    @ParameterizedTest
    @CsvSource({"1n, 1, 4", "1H, 3, 1"})
    void aCallWhoseTimeIsOverIsNotSentAgain(String allowed, int times, String told) throws IOException {
        AtomicInteger calls = new AtomicInteger();
        try (Server server = FramePeer.server(peer -> {
                    while (true) {
                        int stream = peer.request();
                        calls.incrementAndGet();
                        peer.reset(stream, Http2Error.CANCEL);
                    }
                });
                HttpProxy proxy =
                        HttpProxy.routing(List.of(retrying()), HttpProxy.cluster("app", Version.HTTP2, server.port()));
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "POST", "/a.B/C", "content-type", "application/grpc", "grpc-timeout", allowed);
            assertThat(client.message(1).field("grpc-status")).isEqualTo(told);
            assertThat(calls).hasValue(times);
        }
    }
}
