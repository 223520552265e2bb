package io.parley.proxy.gateway;

import static io.parley.proxy.gateway.Gateway.host;
import static io.parley.proxy.gateway.Gateway.listener;
import static io.parley.proxy.gateway.Gateway.routes;
import static io.parley.proxy.gateway.Gateway.to;
import static io.parley.proxy.gateway.Gateway.toRoutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.proxy.config.xds.Resources;
import io.parley.proxy.listen.Unbound;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Proxies of one user on one machine that are told to listen on the same port: those of one Gateway share it, those of two do not. */
class TakenPortsTest {
    private static final String EDGE = "gateway:infra/edge:80";
    private static final String OTHER = "gateway:infra/other:80";
    private static final int CALLS = 20;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    /** A proxy whose only backend says {@code backend}. */
    private Gateway proxy(String listener, String backend, String address, int port) {
        EchoServer server = EchoServer.start(backend);
        open.add(server);
        Gateway gateway = new Gateway().backend(Gateway.http1(backend), server.port());
        open.add(gateway);
        gateway.tell(ResourceType.ROUTE, routes(listener + "/http", host("*", to("/", backend))));
        listen(gateway, listener, address, port);
        return gateway;
    }

    private static void listen(Gateway gateway, String listener, String address, int port) {
        gateway.tell(
                ResourceType.LISTENER,
                listener(listener)
                        .setAddress(Resources.address(address, port))
                        .setDefaultFilterChain(toRoutes(listener + "/http"))
                        .build());
    }

    /** Each on a connection of its own. */
    private static void expectAll(int port, String backend) throws IOException {
        for (int call = 0; call < CALLS; call++) {
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.getOutputStream()
                        .write("GET / HTTP/1.1\r\nHost: any.example\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertThat(answer).contains("x-server: " + backend + "\r\n");
            }
        }
    }

    @Test
    void aPortThatAnotherGatewayHasIsTaken_untilItIsGone() throws IOException {
        Gateway edge = proxy(EDGE, "one", "127.0.0.1", 0);
        int port = edge.address(EDGE).getPort();

        Gateway other = proxy(OTHER, "two", "127.0.0.1", port);
        assertThat(other.proxy().unbound())
                .singleElement()
                .satisfies(one -> assertThat(one.obstacle()).isEqualTo(Unbound.Obstacle.NO_PORT));
        assertThat(other.proxy().isReady()).isFalse();
        expectAll(port, "one");

        edge.close();
        await().until(() -> other.proxy().unbound().isEmpty());
        expectAll(port, "two");
    }

    @Test
    void everyAddressOfTheMachineCannotBeHadBesideAnotherGatewaysOne() {
        int port = proxy(EDGE, "one", "127.0.0.1", 0).address(EDGE).getPort();

        Gateway other = proxy(OTHER, "two", "0.0.0.0", port);

        assertThat(other.proxy().unbound()).hasSize(1);
    }

    @Test
    void aProxyOfTheSameGatewayTakesOver_andTheNextOneFromIt() throws Exception {
        Gateway first = proxy(EDGE, "one", "127.0.0.1", 0);
        int port = first.address(EDGE).getPort();

        Gateway second = proxy(EDGE, "two", "127.0.0.1", port);
        assertThat(second.proxy().unbound()).isEmpty();
        expectAll(port, "two");
        first.proxy().drain();
        expectAll(port, "two");

        Gateway third = proxy(EDGE, "three", "127.0.0.1", port);
        assertThat(third.proxy().unbound()).isEmpty();
        second.proxy().drain();
        expectAll(port, "three");
    }

    @Test
    void aListenerThatWidensItsAddressIsNotInItsOwnWay() throws IOException {
        Gateway edge = proxy(EDGE, "one", "127.0.0.1", 0);
        int port = edge.address(EDGE).getPort();

        listen(edge, EDGE, "0.0.0.0", port);

        assertThat(edge.proxy().unbound()).isEmpty();
        // Until the narrower one is closed the kernel gives it whoever dials its address, and resets who has just come
        // then.
        await().ignoreExceptionsInstanceOf(SocketException.class).untilAsserted(() -> expectAll(port, "one"));
    }
}
