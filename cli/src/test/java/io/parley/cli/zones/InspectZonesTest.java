package io.parley.cli.zones;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.agreement.sync.SyncVersion;
import io.parley.cli.TestControlPlane;
import io.parley.control.app.Mode;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.sync.GlobalSettings;
import io.parley.sync.Tenants;
import io.parley.sync.auth.ZoneAuthenticator;
import io.parley.sync.auth.ZoneIdentity;
import io.parley.sync.cache.Pace;
import io.parley.sync.global.GlobalSync;
import io.parley.sync.grpc.SyncHeaders;
import io.parley.sync.grpc.SyncMethods;
import io.parley.sync.zone.Channels;
import io.parley.wire.sync.proto.HandshakeRequest;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people see of zones, on both sides. */
class InspectZonesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SECRET = "{type: Secret, mesh: default, name: shared, data: %s}";

    @TempDir
    private Path folder;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void showsWhatIsSpokenAndWhatStandsRejectedUntilItIsPutRight() throws Exception {
        TestControlPlane global = start("global", new Mode.Global());
        TestControlPlane zone = start("zone-1", zoneOf(global, "zone-1"));
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(line(global, "zone-1")).contains("Online", "0.2.0").endsWith(" -");
            assertThat(zones(zone))
                    .containsPattern("zone-1 +Online, operational kinds .* 0\\.2\\.0 +-")
                    .containsPattern("zone-1 +Online, informational kinds .* 0\\.2\\.0 +-");
        });
        global.apply("{type: Mesh, name: default}");
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(zone.parley("get", "mesh", "default").exit()).isZero());
        zone.apply(SECRET.formatted("bG9jYWw="));
        global.apply(SECRET.formatted("Z2xvYmFs"));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(line(global, "zone-1")).contains("Secret sent: user error", "shared"));
        assertThat(global.parley("delete", "secret", "shared", "--mesh", "default")
                        .exit())
                .isZero();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(line(global, "zone-1")).endsWith(" -"));
    }

    @Test
    void aRefusalForWantOfACommonVersionIsShownOnBothSides() throws Exception {
        TestControlPlane global = start("global", new Mode.Global());
        handshake(global, "zone-1", "7.0.0");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(line(global, "zone-1")).contains("Offline", "no common sync version"));

        TestControlPlane zone =
                start("zone-2", new Mode.Zone("zone-2", new Channels(futureGlobal(), null, null), Pace.DEFAULT));
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(zones(zone)).containsPattern("zone-2 +Offline, operational kinds .* no common"));
        assertThat(global.parley("token", "zone", "--zone", "zone-1").exit()).isZero();
        start("zone-1", zoneOf(global, "zone-1"));
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(line(global, "zone-1")).contains("Online").endsWith(" -"));
    }

    private TestControlPlane start(String name, Mode mode) throws Exception {
        TestControlPlane started = TestControlPlane.start(Files.createDirectories(folder.resolve(name)), mode);
        open.push(started);
        return started;
    }

    private Mode zoneOf(TestControlPlane global, String name) throws Exception {
        Path token = Files.writeString(folder.resolve(name + ".token"), token(global, name));
        URI url = URI.create("grpcs://127.0.0.1:" + global.port());
        return new Mode.Zone(name, new Channels(url, global.caFile(), token), Pace.DEFAULT);
    }

    private static String token(TestControlPlane global, String zone) {
        return global.parley("token", "zone", "--zone", zone).out().strip();
    }

    /** A global control plane of a release far ahead, whom nothing of today's is known to. */
    private URI futureGlobal() throws Exception {
        ZoneAuthenticator credulous = (headers, _) -> new ZoneAuthenticator.Answer.Proven(
                new ZoneIdentity("", SyncHeaders.text(headers, SyncHeaders.CLIENT_ID)));
        GlobalSync sync = new GlobalSync(
                Tenants.single(new MemoryStore(Retention.DEFAULT, InstantSource.system())),
                credulous,
                GlobalSettings.of("future", "9.0.0").withVersions(List.of(new SyncVersion(9, 0, 0))),
                new SimpleMeterRegistry());
        open.push(sync);
        var builder = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create());
        sync.services().forEach(builder::addService);
        Server server = builder.build().start();
        open.push(server::shutdownNow);
        return URI.create("grpc://127.0.0.1:" + server.getPort());
    }

    private static void handshake(TestControlPlane global, String zone, String version) throws Exception {
        Metadata headers = new Metadata();
        headers.put(SyncHeaders.AUTHORIZATION, "Bearer " + token(global, zone));
        headers.put(SyncHeaders.CLIENT_ID, zone);
        ManagedChannel channel = Grpc.newChannelBuilderForAddress(
                        "127.0.0.1",
                        global.port(),
                        TlsChannelCredentials.newBuilder()
                                .trustManager(global.caFile().toFile())
                                .build())
                .build();
        try {
            var _ = ClientCalls.blockingUnaryCall(
                    ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers)),
                    SyncMethods.handshake("Handshake"),
                    CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS),
                    HandshakeRequest.newBuilder()
                            .addSupportedKdsVersions(version)
                            .build());
        } catch (StatusRuntimeException e) {
            assertThat(e).hasMessageContaining("no common sync version");
        } finally {
            channel.shutdownNow();
        }
    }

    private static String zones(TestControlPlane at) {
        return at.parley("inspect", "zones").out();
    }

    private static String line(TestControlPlane at, String zone) {
        return zones(at)
                .lines()
                .filter(line -> line.startsWith(zone + " "))
                .findFirst()
                .orElse("no " + zone)
                .stripTrailing();
    }
}
