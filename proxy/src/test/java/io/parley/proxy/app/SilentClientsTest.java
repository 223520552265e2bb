package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.open;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.plain;
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.app.TestMesh.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.listen.Proxy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that say nothing, or not all, where a declaration says what they say first: it fails closed, with a reason of its own. */
class SilentClientsTest {
    private static final Timeouts SHORT = new Timeouts(
            Duration.ofMillis(10),
            Duration.ofMillis(300),
            Duration.ofMillis(50),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofMinutes(5),
            Duration.ofSeconds(10));

    /** For clients that say something, however late a busy machine lets them. */
    private static final Timeouts PATIENT = new Timeouts(
            SHORT.serverFirstGrace(),
            Duration.ofSeconds(2),
            SHORT.partial(),
            SHORT.header(),
            SHORT.handshake(),
            SHORT.connect(),
            SHORT.idle(),
            SHORT.drain());

    private final TestMesh mesh = new TestMesh();
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = Server.greeting("hi");
    }

    @AfterEach
    void close() throws IOException {
        mesh.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"TLS", "HTTP1", "HTTP2", "GRPC"})
    void aDeclaredPortOfTheApplicationWaitsForTheTimeOfDetection(Protocol protocol) throws IOException {
        Proxy proxy = mesh.start(SERVER, inbound(protocol));
        try (Client _ = Client.to(proxy.address("redirected"))) {
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("client-silent");
        }
        assertThat(mesh.ending(Direction.INBOUND).detail())
                .isEqualTo("port " + server.port() + " is declared " + protocol + ": nothing came within 300 ms");
        assertThat(server.accepted()).isZero();
    }

    @Test
    void forMembersOnlyItIsTheHandshakeThatDidNotCome() throws IOException {
        Proxy proxy = mesh.start(SERVER, config(SHORT, List.of(redirected(server.port(), strict(Protocol.HTTP1)))));
        try (Client _ = Client.to(proxy.address("redirected"))) {
            assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("tls-detection-timeout");
        }
        assertThat(server.accepted()).isZero();
    }

    @Test
    void anUndeclaredOneHearsTheServer() throws IOException {
        Proxy proxy = mesh.start(SERVER, inbound(Protocol.DETECT));
        try (Client client = Client.to(proxy.address("redirected"))) {
            assertThat(client.read(2)).isEqualTo("hi");
        }
    }

    @Test
    void aServiceDeclaredTlsIsNotDialledForOneWhoSaysNothing() throws IOException {
        Proxy proxy = mesh.start(CLIENT, outboundTls(SHORT));
        try (Client _ = Client.to(proxy.address("outbound"))) {
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("client-silent");
        }
        assertThat(server.accepted()).isZero();
    }

    @Test
    void norForOneWhoseClientHelloStops() throws IOException {
        Proxy proxy = mesh.start(CLIENT, outboundTls(PATIENT));
        byte[] hello = ByteBufUtil.getBytes(Hello.forName("a.example"), 0, 100);
        try (Client client = Client.to(proxy.address("outbound"))) {
            client.send(hello);
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("not-tls");
        }
        assertThat(server.accepted()).isZero();
    }

    @Test
    void norForOneWhoEndsAmidTheClientHello() throws IOException {
        Proxy proxy = mesh.start(CLIENT, outboundTls(PATIENT));
        byte[] hello = ByteBufUtil.getBytes(Hello.forName("a.example"), 0, 100);
        try (Client client = Client.to(proxy.address("outbound"))) {
            client.send(hello).finishSending();
            assertThat(mesh.ending(Direction.OUTBOUND).cause()).isEqualTo("not-tls");
        }
        assertThat(server.accepted()).isZero();
    }

    private ProxyConfig inbound(Protocol protocol) {
        return config(SHORT, List.of(redirected(server.port(), open(protocol))));
    }

    private ProxyConfig outboundTls(Timeouts timeouts) {
        return config(timeouts, List.of(outbound("app", declared(Protocol.TLS))), cluster("app", plain(server.port())));
    }
}
