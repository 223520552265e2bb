package io.parley.proxy.join;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.config.xds.Resources.allow;
import static io.parley.proxy.config.xds.Resources.assignment;
import static io.parley.proxy.config.xds.Resources.discovered;
import static io.parley.proxy.config.xds.Resources.extras;
import static io.parley.proxy.config.xds.Resources.inbound;
import static io.parley.proxy.config.xds.Resources.meshed;
import static io.parley.proxy.config.xds.Resources.outbound;
import static io.parley.proxy.config.xds.Resources.passThrough;
import static io.parley.proxy.config.xds.Resources.strict;
import static io.parley.proxy.config.xds.Resources.toCluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.parley.identity.certificate.Pem;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.Origin;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.app.Server;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.file.Overrides;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two proxies that know nothing but where their control plane is. */
class ControlPlaneLinkTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final TestMesh mesh = new TestMesh();
    private final FakeControlPlane control = new FakeControlPlane(mesh.ca(), Map.of("web-1", CLIENT, "db-1", SERVER));
    private final List<ProxyProgram> programs = new ArrayList<>();

    @AfterEach
    void close() {
        programs.forEach(ProxyProgram::close);
        control.close();
        mesh.close();
    }

    @Test
    void theyAreConfiguredNamedAndConnectedAndGoOnWithoutTheirControlPlane() throws Exception {
        try (Server server = Server.greeting("hi")) {
            ProxyProgram db = join("db-1");
            assertThat(db.proxy().isReady()).isFalse();
            publishServer(server);
            awaitReady(db);
            ProxyProgram web = join("web-1");
            publishClient("1", server.port(), db);
            awaitReady(web);

            InetSocketAddress service = web.proxy().address("outbound:db");
            try (Client client = Client.to(service)) {
                assertThat(client.read(2)).isEqualTo("hi");
                int port = control.port();
                control.stop();
                assertThat(client.send("ping").read(4)).isEqualTo("ping");
                try (Client another = Client.to(service)) {
                    assertThat(another.read(2)).isEqualTo("hi");
                }
                control.startAgain(port);
                publishClient("2", server.port(), db);
                await().atMost(PATIENCE)
                        .until(() -> web.proxy().config().version().contains("LISTENER=2"));
                assertThat(client.send("pong").read(4)).isEqualTo("pong");
            }
            await().atMost(PATIENCE)
                    .until(() -> control.reports.stream()
                            .flatMap(report -> report.decisions().stream())
                            .anyMatch(made -> made.subject().equals("db")
                                    && made.decision().source().rule().equals("server-spoke-first")));
        }
    }

    @Test
    void whatCannotBeUsedIsRefusedByNameAndTheLastGoodOneStays() throws Exception {
        try (Server server = Server.echo()) {
            ProxyProgram db = join("db-1");
            publishServer(server);
            awaitReady(db);
            String before = db.proxy().config().version();
            control.publish(
                    "db-1",
                    ResourceType.LISTENER,
                    "2",
                    inbound("inbound", 0, FilterChain.getDefaultInstance()).build());
            await().atMost(PATIENCE).until(() -> !control.refusals.isEmpty());
            assertThat(control.refusals.peek()).contains("inbound").contains("no tcp_proxy");
            assertThat(db.proxy().config().listeners()).hasSize(1);
            assertThat(db.proxy().config().version()).isNotEqualTo(before);
            await().atMost(PATIENCE)
                    .until(() -> control.reports.stream()
                            .anyMatch(report -> report.lastRefusal().contains("no tcp_proxy")));
        }
    }

    private void publishServer(Server server) {
        control.publish("db-1", ResourceType.CLUSTER, "1", passThrough("app"));
        control.publish(
                "db-1",
                ResourceType.LISTENER,
                "1",
                inbound(
                                "inbound",
                                0,
                                toCluster("app")
                                        .clearFilters()
                                        .addFilters(allow(CLIENT.toString()))
                                        .addFilters(toCluster("app").getFilters(0))
                                        .setTransportSocket(strict())
                                        .setFilterChainMatch(io.parley.proxy.config.xds.Resources.port(server.port()))
                                        .setMetadata(extras(Map.of("protocol", "detect")))
                                        .build())
                        .build());
    }

    private void publishClient(String version, int port, ProxyProgram db) {
        int inbound = db.proxy().address("inbound").getPort();
        control.publish("web-1", ResourceType.CLUSTER, version, discovered("db"));
        control.publish(
                "web-1", ResourceType.ENDPOINT, version, assignment("db", meshed(port, inbound, SERVER.toString())));
        control.publish(
                "web-1",
                ResourceType.LISTENER,
                version,
                outbound(
                                "outbound:db",
                                0,
                                toCluster("db")
                                        .setMetadata(extras(
                                                Map.of("protocol", "detect", "service", "db", "because", version)))
                                        .build())
                        .build());
    }

    private static void awaitReady(ProxyProgram program) {
        await().atMost(PATIENCE).until(() -> program.proxy().isReady());
    }

    private ProxyProgram join(String name) throws IOException {
        Path token = Files.writeString(folder.resolve("token"), FakeControlPlane.TOKEN + "\n");
        Path ca =
                Files.writeString(folder.resolve("ca.pem"), Pem.encode(mesh.ca().certificate()));
        Origin origin = new Origin.ControlPlane(new ControlPlaneLink.Settings(
                URI.create("https://localhost:" + control.port()), token, ca, "mesh.test", name, "0.1.0"));
        ProxyProgram program = ProxyProgram.start(
                new ProxyProgram.Options(
                        origin,
                        new Overrides(null, null, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null),
                        1),
                Surroundings.real(),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        programs.add(program);
        return program;
    }
}
