package io.parley.proxy.gateway;

import static io.parley.proxy.gateway.Gateway.listener;
import static io.parley.proxy.gateway.Gateway.routes;
import static io.parley.proxy.gateway.Gateway.to;
import static io.parley.proxy.gateway.Gateway.toRoutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.parley.proxy.config.xds.Resources;
import io.parley.proxy.listen.Unbound;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listeners that cannot be where they are wanted. */
class ListenersTest {
    private static final String SECOND = "gateway:infra/edge:81";

    private final EchoServer backend = EchoServer.start("one");
    private final Gateway gateway = new Gateway().backend(Gateway.http1("one"), backend.port());

    @AfterEach
    void close() {
        gateway.close();
        backend.close();
    }

    private static Listener at(String address, int port) {
        return listener(SECOND)
                .setAddress(Resources.address(address, port))
                .setDefaultFilterChain(toRoutes(Gateway.HTTP + "/http"))
                .build();
    }

    @Test
    void aPortThatIsTakenKeepsNoOtherListenerFromServing_andIsTakenWhenItIsFree() throws IOException {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = taken.getLocalPort();
            gateway.tell(ResourceType.LISTENER, at("127.0.0.1", port)).http(to("/", "one"));

            assertThat(Calls.http1(gateway.port(), "/").status().code()).isEqualTo(200);
            assertThat(gateway.proxy().unbound()).singleElement().satisfies(one -> {
                assertThat(one.listener()).isEqualTo(SECOND);
                assertThat(one.obstacle()).isEqualTo(Unbound.Obstacle.NO_PORT);
            });
            assertThat(gateway.metrics()).contains("proxy_listeners_unbound 1");
        }

        await().until(() -> gateway.proxy().unbound().isEmpty());
        assertThat(Calls.http1(port, "/").status().code()).isEqualTo(200);
    }

    @Test
    void anAddressThatTheMachineHasNotIsToldFromAPortThatIsTaken() {
        // RFC 5737: this one is nobody's.
        gateway.tell(ResourceType.LISTENER, at("203.0.113.7", 8080)).http(to("/", "one"));

        assertThat(gateway.proxy().unbound())
                .singleElement()
                .satisfies(one -> assertThat(one.obstacle()).isEqualTo(Unbound.Obstacle.NO_ADDRESS));
        assertThat(Calls.http1(gateway.port(), "/").status().code()).isEqualTo(200);
    }

    @Test
    void aListenerThatMovesToAPortThatIsTakenIsNotWhereItWas() throws IOException {
        gateway.tell(ResourceType.ROUTE, routes(Gateway.HTTP + "/http", Gateway.host("*", to("/", "one"))));
        gateway.tell(ResourceType.LISTENER, at("127.0.0.1", 0));
        assertThat(gateway.proxy().unbound()).isEmpty();

        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            gateway.tell(ResourceType.LISTENER, at("127.0.0.1", taken.getLocalPort()));

            assertThat(gateway.proxy().unbound()).hasSize(1);
            assertThat(gateway.proxy().isReady()).isFalse();
        }
        await().until(() -> gateway.proxy().unbound().isEmpty());
        assertThat(gateway.proxy().isReady()).isTrue();
    }
}
