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
import static io.parley.proxy.app.TestMesh.redirected;
import static io.parley.proxy.app.TestMesh.strict;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufUtil;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tcp.Ending;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS that is the application's own passes unread, and is counted as such, with whom it asks for. */
class ForeignTlsTest {
    private static final SpiffeId DATABASE = SpiffeId.parse("spiffe://other.test/db");
    private static final String NAME = "db.example";

    private final TestMesh mesh = new TestMesh();

    @AfterEach
    void close() {
        mesh.close();
    }

    @Test
    void aClientThatAsksForTheApplicationByTlsIsCountedByWhomItAsksFor() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = mesh.start(SERVER, config(List.of(redirected(server.port(), open(Protocol.DETECT)))));
            byte[] hello = ByteBufUtil.getBytes(Hello.forName(NAME));
            try (Client client = Client.to(proxy.address("redirected"))) {
                client.send(hello);
                assertThat(client.read(1)).hasSize(1);
            }
            String labels = "{direction=\"inbound\",peer=\"src\",tls=\"opaque\",target=\"port " + server.port()
                    + "\",sni=\"db.example\"}";
            await().until(() -> {
                String page = proxy.machinery().telemetry().render();
                return page.contains("tcp_open_total" + labels + " 1\n")
                        && page.contains("tcp_read_bytes_total" + labels + " " + hello.length + "\n");
            });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TLS, TLS, tls by declared, tls by declared",
        "DETECT, TLS, tls by detected, tls by declared",
        "OPAQUE, TLS, opaque by declared, tls by declared",
        "TLS, DETECT, tls by declared, opaque by connection-header",
        "DETECT, DETECT, tls by detected, opaque by connection-header"
    })
    void passesTwoProxiesWhateverIsDeclared(Protocol service, Protocol pod, String outbound, String inbound)
            throws IOException {
        try (Server server = tlsEcho();
                PeerProxy client = PeerProxy.connect(through(server, service, pod), null, NAME)) {
            assertThat(client.send("hello".getBytes(ISO_8859_1)).read(5)).isEqualTo("hello");
            assertThat(mesh.decision(Direction.OUTBOUND)).isEqualTo(outbound);
            assertThat(mesh.decision(Direction.INBOUND)).isEqualTo(inbound);
        }
    }

    @Test
    void passesAlsoWhereTheServerWasDialledForASilentClient() throws IOException {
        try (Server server = tlsEcho()) {
            Proxy proxy = inboundProxy(server, Protocol.TLS);
            try (Client silent =
                    Client.to(outboundTo(server, proxy, Protocol.DETECT).address("outbound"))) {
                await().until(() -> proxy.machinery().sessions().count() == 1);
                SSLSocket tls = (SSLSocket) PeerProxy.context(null)
                        .getSocketFactory()
                        .createSocket(silent.socket(), NAME, server.port(), true);
                tls.getOutputStream().write("hello".getBytes(ISO_8859_1));
                assertThat(tls.getInputStream().readNBytes(5))
                        .asString(ISO_8859_1)
                        .isEqualTo("hello");
            }
            assertThat(mesh.decision(Direction.INBOUND)).isEqualTo("tls by declared");
        }
    }

    @Test
    void isCountedByWhomItAsksForOnBothSidesOfTheMesh() throws IOException {
        try (Server server = tlsEcho()) {
            Proxy proxy = inboundProxy(server, Protocol.TLS);
            Proxy before = outboundTo(server, proxy, Protocol.TLS);
            try (PeerProxy client = PeerProxy.connect(before.address("outbound"), null, NAME)) {
                assertThat(client.send("hello".getBytes(ISO_8859_1)).read(5)).isEqualTo("hello");
                assertThat(before.machinery().telemetry().render())
                        .contains("tcp_open_total{direction=\"outbound\",peer=\"src\",tls=\"opaque\",target=\"db\""
                                + ",sni=\"db.example\"} 1\n");
                assertThat(proxy.machinery().telemetry().render())
                        .contains("tcp_open_total{direction=\"inbound\",peer=\"src\",tls=\"true\",client_id=\"" + CLIENT
                                + "\",target=\"port " + server.port() + "\",sni=\"db.example\"} 1\n");
            }
        }
    }

    @Test
    void whatTheProxyBeforeTakesForBytesAndIsNoTlsIsRefused() throws IOException {
        try (Server server = Server.echo();
                Client client = Client.to(through(server, Protocol.OPAQUE, Protocol.TLS))) {
            client.send("hello");
            Ending ending = mesh.ending(Direction.INBOUND);
            assertThat(ending.cause()).isEqualTo("protocol-mismatch");
            assertThat(ending.detail()).contains("is declared tls");
            assertThat(server.accepted()).isZero();
        }
    }

    private Server tlsEcho() throws IOException {
        SSLContext context = PeerProxy.context(mesh.credentials(DATABASE));
        return Server.that(socket -> {
            SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(socket, null, true);
            tls.setUseClientMode(false);
            tls.getInputStream().transferTo(tls.getOutputStream());
        });
    }

    private InetSocketAddress through(Server server, Protocol service, Protocol pod) {
        return outboundTo(server, inboundProxy(server, pod), service).address("outbound");
    }

    private Proxy inboundProxy(Server server, Protocol pod) {
        return mesh.start(
                SERVER, config(List.of(inbound(Map.of(server.port(), strict(pod)), strict(Protocol.DETECT)))));
    }

    private Proxy outboundTo(Server server, Proxy inbound, Protocol service) {
        var endpoint = meshed(server.port(), inbound.address("inbound"), SERVER);
        return mesh.start(CLIENT, config(List.of(outbound("db", declared(service))), cluster("db", endpoint)));
    }
}
