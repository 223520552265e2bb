package io.parley.control.app;

import static io.parley.control.app.Federated.TIMEOUTS;
import static io.parley.control.app.Federated.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.store.postgres.PostgresServer;
import io.parley.sync.cache.Pace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two global control planes on one PostgreSQL server, a zone at each. Skipped, and says so, where that is not installed. */
class TwoGlobalsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PRODUCER = "\"kuma.io/origin\":\"zone\",\"kuma.io/policy-role\":\"producer\"";

    @Test
    void case48_aChangeThroughEitherReachesTheZonesOfBoth(@TempDir Path folder) throws Exception {
        try (PostgresServer postgres = PostgresServer.start(PostgresServer.Disk.NO_FSYNC);
                Federated planes = new Federated(folder)) {
            StoreChoice shared = StoreChoice.parse(postgres.url());
            ControlPlane one = planes.start("one", new Mode.Global(), shared, null);
            ControlPlane other = planes.start("other", new Mode.Global(), shared, folder.resolve("one/master.key"));
            ControlPlane first = planes.zone("zone-1", one);
            ControlPlane second = planes.zone("zone-2", other);

            planes.put(one, TIMEOUTS + "by-one", timeout("by-one", "", 11));
            planes.put(other, TIMEOUTS + "by-other", timeout("by-other", "", 22));
            for (ControlPlane zone : List.of(first, second)) {
                awaitText(planes, zone, TIMEOUTS + "by-one", "11s");
                awaitText(planes, zone, TIMEOUTS + "by-other", "22s");
            }

            // What the other one made may be changed and deleted through this one.
            planes.put(one, TIMEOUTS + "by-other", timeout("by-other", "", 33));
            planes.send(other, "DELETE", TIMEOUTS + "by-one", "");
            for (ControlPlane zone : List.of(first, second)) {
                awaitText(planes, zone, TIMEOUTS + "by-other", "33s");
                awaitText(planes, zone, TIMEOUTS + "by-one", "404");
            }

            // A zone's own policy goes up to the one and down from the other.
            planes.put(first, TIMEOUTS + "made-here", timeout("made-here", PRODUCER, 44));
            awaitText(planes, second, TIMEOUTS + "zone-1.made-here", "44s");
            for (ControlPlane global : List.of(one, other)) {
                awaitText(planes, global, "/zone-insights/zone-1", "connectTime");
                awaitText(planes, global, "/zone-insights/zone-2", "connectTime");
            }
        }
    }

    /** Of a tenant besides, which on PostgreSQL has a schema of its own. */
    @Test
    void case48_aQuestionForAZoneOfTheOtherIsForwarded(@TempDir Path folder) throws Exception {
        try (PostgresServer postgres = PostgresServer.start(PostgresServer.Disk.NO_FSYNC);
                Federated planes = new Federated(folder)) {
            StoreChoice shared = StoreChoice.parse(postgres.url());
            Mode global = new Mode.Global(Set.of("red"), Set.of(), Pace.DEFAULT);
            ControlPlane one = planes.start("one", global, shared, null);
            ControlPlane other = planes.start("other", global, shared, folder.resolve("one/master.key"));
            for (String tenant : List.of("", "red")) {
                ControlPlane zone = planes.zone("zone-1", other, tenant);
                planes.put(zone, "/meshes/default/dataplanes/web-1", """
                    {"type":"Dataplane","mesh":"default","name":"web-1","networking":{"address":"127.0.0.1",
                    "inbound":[{"port":8080,"tags":{"kuma.io/service":"web"}}]}}\
                    """);
                String question = "/meshes/default/dataplanes/zone-1.web-1/_config";
                for (ControlPlane asked : List.of(one, other)) {
                    await().atMost(PATIENCE)
                            .untilAsserted(() -> assertThat(planes.send(asked, "GET", question, "", tenant)
                                            .body())
                                    .contains("inbound", "listeners"));
                }
                zone.close();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(planes.send(one, "GET", question, "", tenant)
                                        .body())
                                .contains("zone zone-1 is not connected"));
            }
        }
    }

    private static void awaitText(Federated planes, ControlPlane at, String path, String text) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            var answer = planes.send(at, "GET", path, "");
            assertThat(answer.statusCode() + " " + answer.body()).contains(text);
        });
    }
}
