package io.parley.control.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parley.store.postgres.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two control planes on one PostgreSQL server. Skipped, and says so, where that is not installed. */
class SharedStoreTest {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void whatIsWrittenThroughOneIsReadThroughTheOther() throws Exception {
        try (PostgresServer postgres = PostgresServer.start(PostgresServer.Disk.NO_FSYNC);
                ControlPlane one = start(postgres, "one");
                ControlPlane other = start(postgres, "other")) {
            HttpResponse<String> put =
                    send(one, "PUT", "/meshes/shared", "{\"type\":\"Mesh\",\"name\":\"shared\"}", token(one));

            assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
            // A token of one is good for the other: they share the signing key.
            assertThat(send(other, "GET", "/meshes/shared", "", token(one)).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void oneLeadsAndTheOtherTakesOver() throws Exception {
        try (PostgresServer postgres = PostgresServer.start(PostgresServer.Disk.NO_FSYNC)) {
            ControlPlane one = start(postgres, "one");
            await().atMost(Duration.ofSeconds(30)).until(() -> leads(one));
            try (ControlPlane other = start(postgres, "other")) {
                assertThat(leads(other)).isFalse();

                one.close();

                await().atMost(Duration.ofSeconds(30)).until(() -> leads(other));
            }
        }
    }

    @Test
    void refusesToStartWithAnotherMasterKey() {
        try (PostgresServer postgres = PostgresServer.start(PostgresServer.Disk.NO_FSYNC);
                ControlPlane one = start(postgres, "one")) {
            assertThat(one.apiUrl()).isNotNull();
            assertThatThrownBy(() -> ControlPlane.start(config(postgres, "stranger", null)))
                    .hasMessageContaining("master key");
        }
    }

    private ControlPlane start(PostgresServer postgres, String name) {
        Path key = folder.resolve("one/master.key");
        return ControlPlane.start(config(postgres, name, Files.exists(key) ? key : null));
    }

    private ControlPlaneConfig config(PostgresServer postgres, String name, @Nullable Path masterKey) {
        return new ControlPlaneConfig(
                folder.resolve(name),
                HostPort.parse("127.0.0.1:0"),
                HostPort.parse("127.0.0.1:0"),
                null,
                StoreChoice.parse(postgres.url()),
                List.of(),
                null,
                masterKey,
                new Mode.Standalone());
    }

    private boolean leads(ControlPlane controlPlane) throws Exception {
        return send(controlPlane, "GET", "/metrics", "", "").body().contains("parley_control_plane_leader 1.0");
    }

    private static String token(ControlPlane controlPlane) throws Exception {
        return Files.readString(controlPlane.adminTokenFile()).strip();
    }

    private HttpResponse<String> send(ControlPlane to, String method, String path, String body, String token)
            throws Exception {
        URI uri = to.apiUrl().resolve(path);
        return http.send(
                HttpRequest.newBuilder(uri)
                        .timeout(Duration.ofSeconds(30))
                        .header("authorization", "Bearer " + token)
                        .header("content-type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }
}
