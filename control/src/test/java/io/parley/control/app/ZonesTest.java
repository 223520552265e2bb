package io.parley.control.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.resource.Document;
import io.parley.sync.zone.Channels;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A global control plane and zones that follow it: TLS, tokens, the API's rules. */
class ZonesTest {
    private static final String PATH = "/meshes/default/meshtimeouts/";

    @TempDir
    private Path folder;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<ControlPlane> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.reversed().forEach(ControlPlane::close);
    }

    @Test
    void aZoneFollowsGlobalAndGlobalSeesTheZone() throws Exception {
        ControlPlane global = start("global", new Mode.Global());
        ControlPlane zone = start("zone-1", zoneOf(global, "zone-1"));
        assertThat(put(global, PATH + "timeout-global", timeout("timeout-global", "", 20)))
                .isEqualTo(201);
        await().untilAsserted(
                        () -> assertThat(get(zone, PATH + "timeout-global")).contains("20s"));
        assertThat(put(zone, PATH + "timeout-zone", timeout("timeout-zone", "kuma.io/origin", 10)))
                .isEqualTo(201);
        await().untilAsserted(() ->
                assertThat(get(global, PATH + "zone-1.timeout-zone")).contains("10s", "\"kuma.io/zone\":\"zone-1\""));
        await().untilAsserted(
                        () -> assertThat(get(global, "/zone-insights/zone-1")).contains("connectTime", "MeshTimeout"));
    }

    @Test
    void eachSideWritesOnlyWhatIsItsOwn() throws Exception {
        ControlPlane global = start("global", new Mode.Global());
        ControlPlane zone = start("zone-1", zoneOf(global, "zone-1"));
        put(global, PATH + "g", timeout("g", "", 20));
        put(zone, PATH + "z", timeout("z", "kuma.io/origin", 10));
        await().untilAsserted(() -> {
            assertThat(get(zone, PATH + "g")).contains("20s");
            assertThat(get(global, PATH + "zone-1.z")).contains("10s");
        });
        assertThat(put(zone, PATH + "g", timeout("g", "kuma.io/origin", 1))).isBetween(400, 499);
        assertThat(put(global, PATH + "zone-1.z", timeout("zone-1.z", "", 1))).isBetween(400, 499);
        assertThat(send(global, "DELETE", PATH + "zone-1.z", "").statusCode()).isBetween(400, 499);
        HttpResponse<String> unlabelled = send(zone, "PUT", PATH + "u", timeout("u", "", 1));
        assertThat(unlabelled.statusCode()).isEqualTo(400);
        assertThat(unlabelled.body()).contains("kuma.io/origin: absent (expected: zone");
        assertThat(put(zone, "/meshes/another", "{\"type\":\"Mesh\",\"name\":\"another\"}"))
                .isBetween(400, 499);
        await().untilAsserted(() -> assertThat(
                        send(global, "DELETE", "/zones/zone-1", "").statusCode())
                .isEqualTo(409));
        zone.close();
        await().untilAsserted(() -> assertThat(
                        send(global, "DELETE", "/zones/zone-1", "").statusCode())
                .isEqualTo(200));
        assertThat(send(global, "GET", PATH + "zone-1.z", "").statusCode()).isEqualTo(404);
    }

    private Mode zoneOf(ControlPlane global, String name) throws Exception {
        String answer = send(global, "POST", "/tokens/zone", "{\"zone\":\"" + name + "\"}")
                .body();
        Path token = folder.resolve(name + ".token");
        Files.writeString(token, new Document(answer).tree().path("token").asText());
        URI url = URI.create("grpcs://127.0.0.1:" + global.machinePort());
        return new Mode.Zone(name, new Channels(url, global.caFile(), token));
    }

    private ControlPlane start(String name, Mode mode) {
        ControlPlane started = ControlPlane.start(new ControlPlaneConfig(
                folder.resolve(name),
                HostPort.parse("127.0.0.1:0"),
                HostPort.parse("127.0.0.1:0"),
                null,
                new StoreChoice.Memory(),
                List.of(),
                null,
                mode));
        open.add(started);
        return started;
    }

    private static String timeout(String name, String label, int seconds) {
        String labels = label.isEmpty() ? "" : "\"labels\":{\"" + label + "\":\"zone\"},";
        return "{\"type\":\"MeshTimeout\",\"mesh\":\"default\",\"name\":\"" + name + "\"," + labels
                + "\"spec\":{\"targetRef\":{\"kind\":\"Mesh\"},\"to\":[{\"targetRef\":{\"kind\":\"Mesh\"},"
                + "\"default\":{\"idleTimeout\":\"" + seconds + "s\"}}]}}";
    }

    private int put(ControlPlane to, String path, String body) throws Exception {
        return send(to, "PUT", path, body).statusCode();
    }

    private String get(ControlPlane from, String path) throws Exception {
        return send(from, "GET", path, "").body();
    }

    private HttpResponse<String> send(ControlPlane to, String method, String path, String body) throws Exception {
        String token = Files.readString(to.adminTokenFile()).strip();
        return http.send(
                HttpRequest.newBuilder(to.apiUrl().resolve(path))
                        .timeout(Duration.ofSeconds(30))
                        .header("authorization", "Bearer " + token)
                        .header("content-type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }
}
