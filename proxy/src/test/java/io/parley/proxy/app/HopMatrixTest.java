package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.meshed;
import static io.parley.proxy.app.TestMesh.open;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.plain;
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.app.TestMesh.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.Direction;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.listen.Proxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The hop matrix: who is in the mesh, what is declared where, and what each proxy makes of it. */
class HopMatrixTest {
    private static final String REQUEST = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

    private final TestMesh mesh = new TestMesh();

    @AfterEach
    void close() {
        mesh.close();
    }

    @Test
    void meshedToMeshedDeclaredOpaqueOnBothSides() throws IOException {
        try (Server server = Server.echo()) {
            exchange(twoProxies(server, Protocol.OPAQUE, Protocol.OPAQUE, Protocol.OPAQUE), "hello");
            assertThat(decision(Direction.OUTBOUND)).isEqualTo("opaque by declared");
            assertThat(decision(Direction.INBOUND)).isEqualTo("opaque by declared");
            assertThat(peer()).isEqualTo(CLIENT.toString());
        }
    }

    @Test
    void meshedToMeshedDeclaredOpaqueByThePodOnly() throws IOException {
        try (Server server = Server.echo()) {
            exchange(twoProxies(server, Protocol.DETECT, Protocol.OPAQUE, Protocol.OPAQUE), REQUEST);
            assertThat(decision(Direction.OUTBOUND)).isEqualTo("http1 by detected");
            assertThat(decision(Direction.INBOUND)).isEqualTo("opaque by declared");
        }
    }

    @Test
    void meshedToMeshedDeclaredOpaqueByTheServiceOnly() throws IOException {
        try (Server server = Server.echo()) {
            exchange(twoProxies(server, Protocol.OPAQUE, Protocol.DETECT, Protocol.DETECT), REQUEST);
            assertThat(decision(Direction.OUTBOUND)).isEqualTo("opaque by declared");
            assertThat(decision(Direction.INBOUND)).isEqualTo("opaque by connection-header");
        }
    }

    @Test
    void meshedToMeshedUndeclaredHttp() throws IOException {
        try (Server server = Server.echo()) {
            exchange(twoProxies(server, Protocol.DETECT, Protocol.DETECT, Protocol.DETECT), REQUEST);
            assertThat(decision(Direction.OUTBOUND)).isEqualTo("http1 by detected");
            assertThat(decision(Direction.INBOUND)).isEqualTo("http1 by connection-header");
        }
    }

    @Test
    void meshedToMeshedUndeclaredNotHttp() throws IOException {
        try (Server server = Server.echo()) {
            exchange(twoProxies(server, Protocol.DETECT, Protocol.DETECT, Protocol.DETECT), "*1\r\n$4\r\nPING\r\n");
            assertThat(decision(Direction.OUTBOUND)).isEqualTo("opaque by detected");
            assertThat(decision(Direction.INBOUND)).isEqualTo("opaque by connection-header");
        }
    }

    @Test
    void meshedToMeshedUndeclaredServerFirst() throws IOException {
        try (Server server = Server.greeting("220 ready\r\n")) {
            try (Client client = Client.to(twoProxies(server, Protocol.DETECT, Protocol.DETECT, Protocol.DETECT))) {
                assertThat(client.read(11)).isEqualTo("220 ready\r\n");
                assertThat(client.send("EHLO a\r\n").read(8)).isEqualTo("EHLO a\r\n");
            }
            assertThat(decision(Direction.OUTBOUND)).isEqualTo("opaque by server-spoke-first");
            assertThat(decision(Direction.INBOUND)).isEqualTo("opaque by server-spoke-first");
            assertThat(server.accepted()).isEqualTo(1);
        }
    }

    @Test
    void meshedToUnmeshedDeclaredOpaque() throws IOException {
        try (Server server = Server.echo()) {
            exchange(clientProxy(plain(server.port()), Protocol.OPAQUE), "hello");
            assertThat(decision(Direction.OUTBOUND)).isEqualTo("opaque by declared");
        }
    }

    @Test
    void unmeshedToMeshedDeclaredOpaque() throws IOException {
        try (Server server = Server.greeting("hi")) {
            Proxy proxy = mesh.start(SERVER, config(List.of(redirected(server.port(), open(Protocol.OPAQUE)))));
            try (Client client = Client.to(proxy.address("redirected"))) {
                assertThat(client.read(2)).isEqualTo("hi");
            }
            assertThat(decision(Direction.INBOUND)).isEqualTo("opaque by declared");
            assertThat(peer()).isEqualTo("null");
        }
    }

    @Test
    void unmeshedToMeshedUndeclared() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = mesh.start(SERVER, config(List.of(redirected(server.port(), open(Protocol.DETECT)))));
            exchange(proxy.address("redirected"), REQUEST);
            assertThat(decision(Direction.INBOUND)).isEqualTo("http1 by detected");
        }
    }

    @Test
    void unmeshedToMeshedUndeclaredServerFirst() throws IOException {
        try (Server server = Server.greeting("220 ready\r\n")) {
            Proxy proxy = mesh.start(SERVER, config(List.of(redirected(server.port(), open(Protocol.DETECT)))));
            try (Client client = Client.to(proxy.address("redirected"))) {
                assertThat(client.read(11)).isEqualTo("220 ready\r\n");
            }
            assertThat(decision(Direction.INBOUND)).isEqualTo("opaque by server-spoke-first");
        }
    }

    @Test
    void aStrangerIsNotEvenDialledForWhereOnlyMembersMay() throws IOException {
        try (Server server = Server.greeting("220 ready\r\n")) {
            Proxy proxy = mesh.start(SERVER, config(List.of(redirected(server.port(), strict(Protocol.DETECT)))));
            try (Client _ = Client.to(proxy.address("redirected"))) {
                assertThat(mesh.ending(Direction.INBOUND).cause()).isEqualTo("tls-detection-timeout");
                assertThat(server.accepted()).isZero();
            }
        }
    }

    /** What a hop to a member of another mesh comes to: no identity is known for it, so it is dialled in clear. */
    @Test
    void meshedToAnotherControlPlane() throws IOException {
        try (Server server = Server.echo()) {
            Proxy other = mesh.start(SERVER, config(List.of(redirected(server.port(), open(Protocol.DETECT)))));
            exchange(clientProxy(Endpoint.plain(other.address("redirected")), Protocol.DETECT), REQUEST);
            assertThat(decision(Direction.INBOUND)).isEqualTo("http1 by detected");
            assertThat(peer()).isEqualTo("null");
        }
    }

    private InetSocketAddress twoProxies(Server server, Protocol service, Protocol hint, Protocol pod) {
        Proxy inbound = mesh.start(
                SERVER, config(List.of(inbound(Map.of(server.port(), strict(pod)), strict(Protocol.DETECT)))));
        return clientProxy(meshed(server.port(), inbound.address("inbound"), SERVER, null, hint), service);
    }

    private InetSocketAddress clientProxy(Endpoint endpoint, Protocol service) {
        return mesh.start(CLIENT, config(List.of(outbound("service", declared(service))), cluster("service", endpoint)))
                .address("outbound");
    }

    private static void exchange(InetSocketAddress address, String text) throws IOException {
        try (Client client = Client.to(address)) {
            String back = text.startsWith("GET ")
                    ? client.ask(text)
                    : client.send(text).read(text.length());
            assertThat(back).isEqualTo(text);
        }
    }

    private String decision(Direction direction) {
        return mesh.decision(direction);
    }

    private String peer() {
        return String.valueOf(mesh.agreed(Direction.INBOUND).peer());
    }
}
