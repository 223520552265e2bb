package io.parley.control.app;

import static io.parley.control.app.Federated.TIMEOUTS;
import static io.parley.control.app.Federated.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.sync.cache.Pace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PacedSyncTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A kind waits for its interval, and no other kind waits for it. */
    @Test
    void aKindIsSentAsOftenAsTheConfigurationSays(@TempDir Path folder) throws Exception {
        try (Federated planes = new Federated(folder)) {
            Pace pace = Pace.parse(List.of("MeshTimeout=1h", "2s"));
            ControlPlane global = planes.start("global", new Mode.Global(Set.of(), Set.of(), pace));
            ControlPlane zone = planes.zone("zone-1", global);
            planes.put(global, "/meshes/default", "{\"type\":\"Mesh\",\"name\":\"default\"}");
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(planes.get(zone, "/meshes/default")).contains("\"kuma.io/origin\":\"global\""));
            assertThat(planes.put(global, TIMEOUTS + "a", timeout("a", "", 7))).isLessThan(300);
            assertThat(planes.put(global, "/meshes/other", "{\"type\":\"Mesh\",\"name\":\"other\"}"))
                    .isLessThan(300);
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(planes.get(zone, "/meshes/other")).contains("\"name\":\"other\""));
            assertThat(planes.get(zone, TIMEOUTS + "a")).contains("404");
        }
    }
}
