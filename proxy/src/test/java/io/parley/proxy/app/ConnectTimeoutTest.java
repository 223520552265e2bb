package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.TIMEOUTS;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.loopback;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.plain;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.config.Balancing;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.Direction;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.listen.Proxy;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that neither accepts nor refuses: its queue is full and the kernel drops what asks to be let in. */
class ConnectTimeoutTest {
    private final TestMesh mesh = new TestMesh();
    private final List<SocketChannel> queue = new ArrayList<>();
    private ServerSocket server;

    @BeforeEach
    void fillTheQueue() throws IOException {
        server = new ServerSocket(0, 1, loopback());
        for (int i = 0; i < 4; i++) {
            SocketChannel waiting = SocketChannel.open();
            queue.add(waiting);
            waiting.configureBlocking(false);
            waiting.connect(server.getLocalSocketAddress());
        }
    }

    @AfterEach
    void close() throws IOException {
        mesh.close();
        for (SocketChannel waiting : queue) {
            waiting.close();
        }
        server.close();
    }

    @Test
    void aConnectionIsGivenUpWhenTheClustersTimeIsOver() throws IOException {
        Proxy proxy = start(Protocol.OPAQUE);
        try (Client client = Client.to(proxy.address("outbound"))) {
            client.send("hello");
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("unreachable");
        }
    }

    @Test
    void aRequestIsAnsweredWhenTheClustersTimeIsOver() throws IOException {
        Proxy proxy = start(Protocol.HTTP1);
        try (Client client = Client.to(proxy.address("outbound"))) {
            assertThat(client.send("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
                            .readAll())
                    .startsWith("HTTP/1.1 503 ");
        }
    }

    /** The proxy as a whole would wait for an hour. */
    private Proxy start(Protocol protocol) {
        ClusterConfig impatient = new ClusterConfig(
                "service",
                List.of(plain(server.getLocalPort())),
                ClusterConfig.Breaker.DEFAULT,
                HttpUpstream.DEFAULT,
                new Balancing.LeastLoaded(),
                Duration.ofMillis(200),
                null);
        return mesh.start(
                CLIENT,
                config(
                        TIMEOUTS.withConnect(Duration.ofHours(1)),
                        List.of(outbound("service", declared(protocol))),
                        impatient));
    }
}
