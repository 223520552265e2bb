package io.parley.control.app;

import static io.parley.control.app.Federated.TIMEOUTS;
import static io.parley.control.app.Federated.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which policy counts where, told by what proxies of two zones are to have; all by the APIs of three control planes. */
@SuppressWarnings("NullAway.Init")
class MatchingCasesTest {
    private static final String OF_ZONE = "\"kuma.io/origin\":\"zone\"";

    @TempDir
    static Path folder;

    private static Federated planes;
    private static ControlPlane global;
    private static ControlPlane first;
    private static ControlPlane second;

    @BeforeAll
    static void open() throws Exception {
        planes = new Federated(folder);
        global = planes.global();
        first = planes.zone("zone-1", global);
        second = planes.zone("zone-2", global);
        for (ControlPlane zone : new ControlPlane[] {first, second}) {
            planes.put(zone, "/meshes/default/dataplanes/web-1", """
                {"type":"Dataplane","mesh":"default","name":"web-1","networking":{"address":"127.0.0.1",
                 "inbound":[{"port":8080,"tags":{"kuma.io/service":"web","kuma.io/protocol":"tcp"}}],
                 "outbound":[{"port":9090,"tags":{"kuma.io/service":"web"}}]}}
                """);
        }
    }

    @AfterAll
    static void close() {
        planes.close();
    }

    @Test
    void case29_aZonesPolicyMustSaySoAndNotNameAnother() throws Exception {
        HttpResponse<String> unlabelled = planes.send(first, "PUT", TIMEOUTS + "p29", timeout("p29", "", 1));
        assertThat(unlabelled.statusCode()).isEqualTo(400);
        assertThat(unlabelled.body()).contains("kuma.io/origin: absent (expected: zone");
        String foreign = OF_ZONE + ",\"kuma.io/zone\":\"zone-2\"";
        HttpResponse<String> others = planes.send(first, "PUT", TIMEOUTS + "p29", timeout("p29", foreign, 1));
        assertThat(others.statusCode()).isEqualTo(400);
        assertThat(others.body()).contains("kuma.io/zone", "zone-2", "zone-1");
    }

    @Test
    void case37_theDocumentsExampleHoldsInItsZoneOnly() throws Exception {
        try (Policy _ = policy(global, "timeout-global", "", "\"idleTimeout\":\"20s\",\"connectionTimeout\":\"2s\"");
                Policy _ = policy(first, "timeout-zone", OF_ZONE, "\"idleTimeout\":\"10s\"")) {
            // What the zone does not say stays as global says it (case 38).
            awaitConfig(first, "\"idleTimeout\":\"10s\"", "\"connectTimeout\":\"2s\"");
            awaitConfig(second, "\"idleTimeout\":\"20s\"", "\"connectTimeout\":\"2s\"");
        }
    }

    @Test
    void case38_kindBeatsOriginAndTheAlphabeticallyFirstNameWinsATie() throws Exception {
        try (Policy _ = policy(global, "by-service", "", "\"idleTimeout\":\"30s\"", "MeshService\",\"name\":\"web");
                Policy _ = policy(first, "by-mesh", OF_ZONE, "\"idleTimeout\":\"11s\"")) {
            awaitConfig(first, "\"idleTimeout\":\"30s\"");
        }
        try (Policy _ = policy(first, "bbb", OF_ZONE, "\"idleTimeout\":\"13s\"");
                Policy _ = policy(first, "aaa", OF_ZONE, "\"idleTimeout\":\"12s\"")) {
            awaitConfig(first, "\"idleTimeout\":\"12s\"");
        }
    }

    @Test
    void case39_fieldsThatAKindDoesNotHaveAreRefusedWithTheirPath() throws Exception {
        refused("meshretries", "MeshRetry", "{\"from\":[]}", "spec.from");
        refused("meshhealthchecks", "MeshHealthCheck", "{\"rules\":[]}", "spec.rules");
        refused("meshtrafficpermissions", "MeshTrafficPermission", "{\"to\":[]}", "spec.to");
        refused("meshtraces", "MeshTrace", "{\"to\":[]}", "spec.to");
        refused(
                "meshtimeouts",
                "MeshTimeout",
                "{\"targetRef\":{\"kind\":\"Mesh\",\"name\":\"x\"},\"to\":[]}",
                "spec.targetRef.name");
    }

    /** Global has no proxies: the zone that has this one is asked. */
    @Test
    void case49_globalShowsWhatAZonesProxyIsToHave() throws Exception {
        String path = "/meshes/default/dataplanes/zone-2.web-1/";
        await().untilAsserted(() ->
                assertThat(planes.get(global, path + "_config")).contains("outbound:127.0.0.1:9090", "\"endpoints\""));
        assertThat(planes.get(global, path + "clusters"))
                .contains("\"clusters\"")
                .doesNotContain("listeners");
        HttpResponse<String> stats = planes.send(global, "GET", path + "stats", "");
        assertThat(stats.statusCode()).isEqualTo(404);
        assertThat(stats.body()).contains("admin page");
        assertThat(planes.send(global, "GET", "/meshes/default/dataplanes/nobody/_config", "")
                        .body())
                .contains("there is no Dataplane nobody");
    }

    /** A policy that holds for a while. */
    private interface Policy extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    private static Policy policy(ControlPlane at, String name, String labels, String settings) throws Exception {
        return policy(at, name, labels, settings, "Mesh");
    }

    private static Policy policy(ControlPlane at, String name, String labels, String settings, String target)
            throws Exception {
        String body = "{\"type\":\"MeshTimeout\",\"mesh\":\"default\",\"name\":\"" + name + "\",\"labels\":{" + labels
                + "},\"spec\":{\"targetRef\":{\"kind\":\"" + target + "\"},\"to\":[{\"targetRef\":{\"kind\":\"Mesh\"},"
                + "\"default\":{" + settings + "}}]}}";
        HttpResponse<String> put = planes.send(at, "PUT", TIMEOUTS + name, body);
        assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
        return () -> delete(at, TIMEOUTS + name);
    }

    private static void delete(ControlPlane at, String path) throws IOException {
        try {
            planes.send(at, "DELETE", path, "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitConfig(ControlPlane zone, String... parts) {
        await().untilAsserted(() -> assertThat(planes.get(zone, "/meshes/default/dataplanes/web-1/_config"))
                .contains(parts));
    }

    private static void refused(String path, String kind, String spec, String field) throws Exception {
        HttpResponse<String> put = planes.send(
                global,
                "PUT",
                "/meshes/default/" + path + "/bad",
                "{\"type\":\"" + kind + "\",\"mesh\":\"default\",\"name\":\"bad\",\"spec\":" + spec + "}");
        assertThat(put.statusCode()).as(put.body()).isEqualTo(400);
        assertThat(put.body()).contains("\"" + field + "\"");
    }
}
