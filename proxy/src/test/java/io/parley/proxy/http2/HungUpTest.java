package io.parley.proxy.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.Client;
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
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server of HTTP/2 that ends a fresh connection before it has said a word: most of all one whose process is just ending. */
class HungUpTest {
    private static final int REQUESTS = 12;
    private static final String POST = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab";

    /** How it does so. */
    enum End {
        CLOSED,
        RESET,
        AFTER_THE_REQUEST;

        void of(Socket socket) throws IOException {
            switch (this) {
                case CLOSED -> {}
                case RESET -> socket.setSoLinger(true, 0);
                case AFTER_THE_REQUEST -> {
                    byte[] _ = socket.getInputStream().readNBytes(100);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void isLeftForAnother(End end) throws IOException {
        try (Server ending = Server.that(end::of);
                Server good = FramePeer.server(HungUpTest::answer);
                HttpProxy proxy = routed(null, ending.port(), good.port());
                Client client = Client.to(proxy.address())) {
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(client.ask(POST)).isEqualTo("at last");
            }
            assertThat(ending.accepted()).isPositive();
            assertThat(proxy.errors("protocol-mismatch")).isZero();
        }
    }

    @Test
    void isAskedThreeTimesIfThereIsNoOther() throws IOException {
        try (Server ending = Server.that(End.CLOSED::of);
                HttpProxy proxy = routed(null, ending.port());
                Client client = Client.to(proxy.address())) {
            String answer = client.send(POST).read(100);
            assertThat(answer).startsWith("HTTP/1.1 502").contains("protocol-mismatch");
            assertThat(ending.accepted()).isEqualTo(3);
        }
    }

    @Test
    void isAskedAgainAsOftenAsAPolicySays() throws IOException {
        AtomicInteger connections = new AtomicInteger();
        try (Server late = Server.that(socket -> {
                    if (connections.incrementAndGet() > 5) {
                        FramePeer.serve(socket, HungUpTest::answer);
                    }
                });
                HttpProxy proxy = routed(policy(On.HARMLESS_RESET), late.port());
                Client client = Client.to(proxy.address())) {
            assertThat(client.ask(POST)).isEqualTo("at last");
            assertThat(connections).hasValue(6);
        }
    }

    private static void answer(FramePeer peer) throws IOException {
        while (true) {
            int stream = peer.request();
            peer.headers(stream, 0, ":status", "200", "content-length", "7");
            peer.data(stream, FramePeer.LAST, "at last");
        }
    }

    private static RetryPolicy policy(On on) {
        return new RetryPolicy(
                List.of(),
                Set.of(on),
                Set.of(),
                List.of(),
                Set.of(),
                5,
                null,
                Duration.ofMillis(1),
                Duration.ofMillis(2),
                100);
    }

    private static HttpProxy routed(@Nullable RetryPolicy retry, int... ports) {
        Forward forward =
                new Forward(Forward.to("app").clusters(), Rewrite.NONE, null, null, retry, List.of(), List.of());
        Route route = new Route("all", RequestMatch.ANY, forward, FieldEdits.NONE, FieldEdits.NONE, Policies.NONE);
        return HttpProxy.routing(List.of(route), HttpProxy.cluster("app", Version.HTTP2, ports));
    }
}
