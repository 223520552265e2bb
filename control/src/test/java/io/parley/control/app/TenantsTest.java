package io.parley.control.app;

import static io.parley.control.app.Federated.TIMEOUTS;
import static io.parley.control.app.Federated.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jwt.SignedJWT;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.parley.sync.cache.Pace;
import io.parley.sync.grpc.SyncHeaders;
import io.parley.sync.grpc.SyncMethods;
import io.parley.wire.sync.proto.HandshakeRequest;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two tenants of one global control plane: ports, TLS, tokens and files as they are in use. */
@SuppressWarnings("NullAway.Init")
class TenantsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String OF_ZONE = "\"kuma.io/origin\":\"zone\"";
    private static final String RED = "red";
    private static final String BLUE = "blue";

    private Path folder;
    private Federated planes;
    private ControlPlane global;

    @BeforeEach
    void open(@TempDir Path data) {
        folder = data;
        planes = new Federated(data);
        global = startGlobal();
    }

    private ControlPlane startGlobal() {
        return planes.start(
                "global", new Mode.Global(Set.of(RED, BLUE), Set.of(), Pace.DEFAULT), new StoreChoice.Sqlite(), null);
    }

    @AfterEach
    void close() {
        planes.close();
    }

    @Test
    void case44_zonesOfOneNameAreNothingToEachOther() throws Exception {
        ControlPlane red = planes.zone("zone-1", global, RED);
        ControlPlane blue = planes.zone("zone-1", global, BLUE);
        put(RED, "t", timeout("t", "", 11));
        put(BLUE, "t", timeout("t", "", 22));
        put("", "of-operators", timeout("of-operators", "", 33));
        planes.send(global, "PUT", "/meshes/shop", "{\"type\":\"Mesh\",\"name\":\"shop\"}", RED);
        awaitText(() -> planes.send(red, "GET", TIMEOUTS + "t", ""), "11s");
        awaitText(() -> planes.send(blue, "GET", TIMEOUTS + "t", ""), "22s");
        awaitText(() -> planes.send(red, "GET", "/meshes/shop", ""), "200");

        planes.put(red, TIMEOUTS + "own", timeout("own", OF_ZONE, 44));
        planes.put(red, "/meshes/default/dataplanes/web-1", """
            {"type":"Dataplane","mesh":"default","name":"web-1","networking":{"address":"127.0.0.1",
            "inbound":[{"port":8080,"tags":{"kuma.io/service":"web"}}]}}\
            """);
        awaitText(() -> ask(RED, TIMEOUTS + "zone-1.own"), "44s");
        awaitText(() -> ask(RED, "/meshes/default/dataplanes/zone-1.web-1/_config"), "inbound");
        awaitText(() -> ask(RED, "/zone-insights/zone-1"), "connectTime");
        awaitText(() -> ask(BLUE, "/zone-insights/zone-1"), "connectTime");

        for (String elsewhere : Set.of(BLUE, "")) {
            assertThat(ask(elsewhere, TIMEOUTS + "zone-1.own").statusCode()).isEqualTo(404);
            assertThat(ask(elsewhere, "/meshes/default/dataplanes/zone-1.web-1/_config")
                            .statusCode())
                    .isEqualTo(404);
            assertThat(ask(elsewhere, "/meshes/shop").statusCode()).isEqualTo(404);
        }
        assertThat(ask("", "/zones").body()).doesNotContain("zone-1");
        assertThat(planes.get(blue, TIMEOUTS)).doesNotContain("of-operators", "own");
        assertThat(planes.get(blue, "/meshes")).doesNotContain("shop");
    }

    @Test
    void whatTenantsHaveOutlivesARestart() throws Exception {
        put(RED, "t", timeout("t", "", 11));
        global.close();
        global = startGlobal();
        assertThat(ask(RED, TIMEOUTS + "t").body()).contains("11s");
        assertThat(ask(BLUE, TIMEOUTS + "t").statusCode()).isEqualTo(404);
        assertThat(folder.resolve("global/tenants/red/store.db")).exists();
    }

    @Test
    void aTenantsTokenIsGoodForItsRealmOnlyAndForgedClaimsAreCounted() throws Exception {
        String admin = Federated.token(planes.send(
                global, "POST", "/tokens/user", "{\"name\":\"ann\",\"groups\":[\"admin\"],\"tenant\":\"red\"}"));
        put(RED, "t", timeout("t", "", 11));
        assertThat(as(admin, "GET", TIMEOUTS + "t", "", "").body()).contains("11s");
        assertThat(as(admin, "GET", "/who-am-i", "", "").body()).contains("\"tenant\":\"red\"");
        assertThat(as(admin, "GET", TIMEOUTS + "t", "", BLUE).statusCode()).isEqualTo(403);
        assertThat(planes.get(global, "/metrics")).contains("parley_api_refused_total{reason=\"forged-tenant\"} 1.0");
        assertThat(ask("green", "/meshes").statusCode()).isEqualTo(403);

        assertThat(as(admin, "POST", "/tokens/zone", "{\"zone\":\"z\"}", "").statusCode())
                .isEqualTo(200);
        for (String request : Set.of("{\"zone\":\"z\",\"tenant\":\"blue\"}", "{\"zone\":\"z\",\"tenant\":\"x\"}")) {
            assertThat(as(admin, "POST", "/tokens/zone", request, "").statusCode())
                    .isEqualTo(400);
        }
        assertThat(as(admin, "POST", "/tokens/dataplane", "{\"name\":\"a\",\"mesh\":\"default\"}", "")
                        .body())
                .contains("join its zones");

        // To withdraw a token takes being of its realm.
        String operators = Files.readString(global.adminTokenFile()).strip();
        as(admin, "POST", "/tokens/revocations", "{\"id\":\"" + id(operators) + "\"}", "");
        assertThat(ask("", "/meshes").statusCode()).isEqualTo(200);
        planes.send(global, "POST", "/tokens/revocations", "{\"id\":\"" + id(admin) + "\"}", RED);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(as(admin, "GET", "/meshes", "", "").statusCode())
                                .isEqualTo(401));
    }

    /** The zone's token names no tenant; a proxy does, whose address is trusted or is not. */
    @Test
    void case44_aTrustedProxySaysWhoseAZoneIs() throws Exception {
        Mode trusting = new Mode.Global(Set.of(RED), Set.of(InetAddress.getLoopbackAddress()), Pace.DEFAULT);
        ControlPlane behindProxy = planes.start("behind-proxy", trusting);
        assertThat(handshake(behindProxy, RED)).isEqualTo(Status.Code.OK);
        assertThat(handshake(behindProxy, BLUE)).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(handshake(global, RED)).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(planes.get(global, "/metrics")).contains("parley_sync_refused_total{reason=\"forged-tenant\"} 1.0");
    }

    private Status.Code handshake(ControlPlane with, String tenant) throws Exception {
        String token = Federated.token(planes.send(with, "POST", "/tokens/zone", "{\"zone\":\"zone-1\"}"));
        Metadata headers = new Metadata();
        headers.put(SyncHeaders.AUTHORIZATION, "Bearer " + token);
        headers.put(SyncHeaders.CLIENT_ID, "zone-1");
        headers.put(SyncHeaders.TENANT, tenant);
        ManagedChannel channel = Grpc.newChannelBuilderForAddress(
                        "127.0.0.1",
                        with.machinePort(),
                        TlsChannelCredentials.newBuilder()
                                .trustManager(with.caFile().toFile())
                                .build())
                .build();
        try {
            ClientCalls.blockingUnaryCall(
                    ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers)),
                    SyncMethods.handshake("Handshake"),
                    CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS),
                    HandshakeRequest.newBuilder()
                            .addSupportedKdsVersions("0.2.0")
                            .build());
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        } finally {
            channel.shutdownNow();
        }
    }

    private static String id(String token) throws Exception {
        return SignedJWT.parse(token).getJWTClaimsSet().getJWTID();
    }

    private void put(String tenant, String name, String policy) throws Exception {
        assertThat(planes.send(global, "PUT", TIMEOUTS + name, policy, tenant).statusCode())
                .isEqualTo(201);
    }

    private HttpResponse<String> ask(String tenant, String path) throws Exception {
        return planes.send(global, "GET", path, "", tenant);
    }

    private HttpResponse<String> as(String token, String method, String path, String body, String tenant)
            throws Exception {
        return planes.send(global, method, path, body, tenant, token);
    }

    private interface Call {
        HttpResponse<String> send() throws Exception;
    }

    private static void awaitText(Call call, String text) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            HttpResponse<String> answer = call.send();
            assertThat(answer.statusCode() + " " + answer.body()).contains(text);
        });
    }
}
