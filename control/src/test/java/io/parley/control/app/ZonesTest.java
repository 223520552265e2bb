package io.parley.control.app;

import static io.parley.control.app.Federated.TIMEOUTS;
import static io.parley.control.app.Federated.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A global control plane and zones that follow it: TLS, tokens, the API's rules. */
@SuppressWarnings("NullAway.Init")
class ZonesTest {
    private static final String OF_ZONE = "\"kuma.io/origin\":\"zone\"";

    private Federated planes;

    @BeforeEach
    void open(@TempDir Path folder) {
        planes = new Federated(folder);
    }

    @AfterEach
    void close() {
        planes.close();
    }

    @Test
    void aZoneFollowsGlobalAndGlobalSeesTheZone() throws Exception {
        ControlPlane global = planes.global();
        ControlPlane zone = planes.zone("zone-1", global);
        assertThat(planes.put(global, TIMEOUTS + "timeout-global", timeout("timeout-global", "", 20)))
                .isEqualTo(201);
        await().untilAsserted(() ->
                assertThat(planes.get(zone, TIMEOUTS + "timeout-global")).contains("20s"));
        assertThat(planes.put(zone, TIMEOUTS + "timeout-zone", timeout("timeout-zone", OF_ZONE, 10)))
                .isEqualTo(201);
        await().untilAsserted(() -> assertThat(planes.get(global, TIMEOUTS + "zone-1.timeout-zone"))
                .contains("10s", "\"kuma.io/zone\":\"zone-1\""));
        await().untilAsserted(() ->
                assertThat(planes.get(global, "/zone-insights/zone-1")).contains("connectTime", "MeshTimeout"));
    }

    @Test
    void case28and34_eachSideWritesOnlyWhatIsItsOwnAndAZoneThatIsConnectedStays() throws Exception {
        ControlPlane global = planes.global();
        ControlPlane zone = planes.zone("zone-1", global);
        planes.put(global, TIMEOUTS + "g", timeout("g", "", 20));
        planes.put(zone, TIMEOUTS + "z", timeout("z", OF_ZONE, 10));
        await().untilAsserted(() -> {
            assertThat(planes.get(zone, TIMEOUTS + "g")).contains("20s");
            assertThat(planes.get(global, TIMEOUTS + "zone-1.z")).contains("10s");
        });
        assertThat(planes.put(zone, TIMEOUTS + "g", timeout("g", OF_ZONE, 1))).isBetween(400, 499);
        assertThat(planes.put(global, TIMEOUTS + "zone-1.z", timeout("zone-1.z", "", 1)))
                .isBetween(400, 499);
        assertThat(status(global, "DELETE", TIMEOUTS + "zone-1.z")).isBetween(400, 499);
        HttpResponse<String> unlabelled = planes.send(zone, "PUT", TIMEOUTS + "u", timeout("u", "", 1));
        assertThat(unlabelled.statusCode()).isEqualTo(400);
        assertThat(unlabelled.body()).contains("kuma.io/origin: absent (expected: zone");
        assertThat(planes.put(zone, "/meshes/another", "{\"type\":\"Mesh\",\"name\":\"another\"}"))
                .isBetween(400, 499);
        // Until global has written down that it is connected it may be deleted.
        await().untilAsserted(() ->
                assertThat(planes.get(global, "/zone-insights/zone-1")).contains("connectTime"));
        assertThat(status(global, "DELETE", "/zones/zone-1")).isEqualTo(409);
        zone.close();
        await().untilAsserted(() ->
                assertThat(status(global, "DELETE", "/zones/zone-1")).isEqualTo(200));
        assertThat(status(global, "GET", TIMEOUTS + "zone-1.z")).isEqualTo(404);
    }

    private int status(ControlPlane at, String method, String path) throws Exception {
        return planes.send(at, method, path, "").statusCode();
    }
}
