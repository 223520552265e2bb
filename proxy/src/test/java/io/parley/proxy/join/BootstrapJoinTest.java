package io.parley.proxy.join;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.config.xds.Resources.assignment;
import static io.parley.proxy.config.xds.Resources.discovered;
import static io.parley.proxy.config.xds.Resources.meshed;
import static io.parley.proxy.config.xds.Resources.outbound;
import static io.parley.proxy.config.xds.Resources.staticCluster;
import static io.parley.proxy.config.xds.Resources.toCluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.TlsCertificate;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.NettyServerBuilder;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.Pem;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.Origin;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.app.Server;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.listen.Proxy;
import io.parley.xds.server.SnapshotSource;
import io.parley.xds.server.StreamState;
import io.parley.xds.server.XdsServer;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proxy that is configured by an xDS server over TLS, as its bootstrap file says. */
class BootstrapJoinTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final TestMesh mesh = new TestMesh();
    private final LiveSnapshot live = new LiveSnapshot();
    private final XdsServer xds =
            XdsServer.builder(_ -> new SnapshotSource.Admission.Serve(live)).build();

    @SuppressWarnings("NullAway.Init")
    private io.grpc.Server server;

    @BeforeEach
    void start() throws IOException {
        Credentials tls = mesh.ca().issueServer(List.of("localhost"), List.of("127.0.0.1"), Duration.ofHours(1));
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                TlsServerCredentials.newBuilder()
                        .keyManager(
                                file("server.pem", Pem.encode(tls.chain())).toFile(),
                                file("server.key", Pem.encode(tls.key())).toFile())
                        .build());
        xds.register(builder);
        server = builder.build().start();
        file("ca.pem", Pem.encode(mesh.ca().certificate()));
    }

    @AfterEach
    void close() {
        server.shutdownNow();
        mesh.close();
    }

    @Test
    void itsCertificateComesFromTheFilesThatTheBootstrapNames() throws Exception {
        Credentials own = mesh.credentials(CLIENT);
        Path certificate = file("own.pem", Pem.encode(own.chain()));
        Path key = file("own.key", Pem.encode(own.key()));
        reachesAMeshedServer("""
            "certificate_providers": {"mesh": {"plugin_name": "file_watcher", "config": {
              "certificate_file": "%s", "private_key_file": "%s", "ca_certificate_file": "%s"}}},
            """.formatted(certificate, key, folder.resolve("ca.pem")), List.of());
    }

    @Test
    void itsCertificateComesFromSecretsIfTheBootstrapNamesNoFiles() throws Exception {
        Credentials own = mesh.credentials(CLIENT);
        reachesAMeshedServer(
                "",
                List.of(
                        Secret.newBuilder()
                                .setName("identity")
                                .setTlsCertificate(TlsCertificate.newBuilder()
                                        .setCertificateChain(inline(Pem.encode(own.chain())))
                                        .setPrivateKey(inline(Pem.encode(own.key()))))
                                .build(),
                        Secret.newBuilder()
                                .setName("trust")
                                .setValidationContext(CertificateValidationContext.newBuilder()
                                        .setTrustedCa(
                                                inline(Pem.encode(mesh.ca().certificate()))))
                                .build()));
    }

    private void reachesAMeshedServer(String providers, List<Secret> secrets) throws Exception {
        try (Server application = Server.echo();
                ProxyProgram program = join(providers)) {
            Proxy inbound = mesh.start(
                    SERVER, TestMesh.config(List.of(TestMesh.inbound(Map.of(), TestMesh.strict(Protocol.DETECT)))));
            int port = inbound.address("inbound").getPort();
            publish(Map.of(
                    ResourceType.CLUSTER, List.of(discovered("db")),
                    ResourceType.ENDPOINT,
                            List.of(assignment("db", meshed(application.port(), port, SERVER.toString()))),
                    ResourceType.LISTENER,
                            List.of(outbound("outbound:db", 0, toCluster("db").build())
                                    .build()),
                    ResourceType.SECRET, secrets));
            await().atMost(PATIENCE).until(() -> program.proxy().isReady());
            try (Client client = Client.to(program.proxy().address("outbound:db"))) {
                assertThat(client.send("hello").read(5)).isEqualTo("hello");
            }
        }
    }

    @Test
    void itFollowsChangesAndKeepsWhatItHasWhenTheServerGoes() throws Exception {
        try (Server one = Server.greeting("one");
                Server two = Server.greeting("two");
                ProxyProgram program = join("")) {
            publish(clear(one.port()));
            await().atMost(PATIENCE).until(() -> program.proxy().isReady());
            InetSocketAddress service = program.proxy().address("outbound:db");
            assertThat(greeting(service)).isEqualTo("one");
            publish(clear(two.port()));
            await().atMost(PATIENCE).until(() -> greeting(service).equals("two"));
            server.shutdownNow();
            assertThat(greeting(service)).isEqualTo("two");
        }
    }

    @Test
    void theServerLearnsWhatIsRefused() throws Exception {
        try (Server application = Server.echo();
                ProxyProgram program = join("")) {
            publish(clear(application.port()));
            await().atMost(PATIENCE).until(() -> program.proxy().isReady());
            Map<ResourceType, List<? extends Message>> bad = new java.util.HashMap<>(clear(application.port()));
            bad.put(
                    ResourceType.LISTENER,
                    List.of(outbound("outbound:db", 0, toCluster("db").build())
                            .setStatPrefix("x")
                            .build()));
            publish(bad);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(xds.states().join().stream().map(StreamState::toString))
                            .anyMatch(state -> state.contains("stat_prefix: not understood")));
            assertThat(program.proxy().isReady()).isTrue();
        }
    }

    @Test
    void aBootstrapThatCannotBeReadIsSaidSo() {
        assertThatThrownBy(() -> start(folder.resolve("missing.json")))
                .isInstanceOf(ProxyProgram.ConfigException.class)
                .hasMessageContaining("missing.json");
    }

    private static Map<ResourceType, List<? extends Message>> clear(int port) {
        return Map.of(
                ResourceType.CLUSTER, List.of(staticCluster("db", port)),
                ResourceType.LISTENER,
                        List.of(outbound("outbound:db", 0, toCluster("db").build())
                                .build()));
    }

    private static String greeting(InetSocketAddress service) throws IOException {
        try (Client client = Client.to(service)) {
            return client.read(3);
        }
    }

    private void publish(Map<ResourceType, List<? extends Message>> resources) {
        Snapshot snapshot = Snapshot.EMPTY;
        for (var entry : resources.entrySet()) {
            snapshot = snapshot.with(
                    entry.getKey(),
                    ResourceSet.of(
                            entry.getValue().stream().map(EncodedResource::of).toList()));
        }
        live.publish(snapshot);
    }

    private ProxyProgram join(String providers) throws IOException {
        return start(file("bootstrap.json", """
            {"xds_servers": [{"server_uri": "localhost:%d",
              "channel_creds": [{"type": "tls", "config": {"ca_certificate_file": "%s"}}],
              "server_features": ["xds_v3"]}],
             %s "node": {"id": "web-1"}}
            """.formatted(server.getPort(), folder.resolve("ca.pem"), providers)));
    }

    private static ProxyProgram start(Path bootstrap) {
        return ProxyProgram.start(
                new ProxyProgram.Options(
                        new Origin.Bootstrap(bootstrap, "0.1.0"),
                        new Overrides(null, null, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null),
                        1),
                Surroundings.real(),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static DataSource inline(String text) {
        return DataSource.newBuilder().setInlineString(text).build();
    }
}
