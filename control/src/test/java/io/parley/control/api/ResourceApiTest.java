package io.parley.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.control.api.ApiFixture.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResourceApiTest {
    private static final String TIMEOUTS = "/meshes/default/meshtimeouts";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path data;

    @SuppressWarnings("NullAway.Init")
    private static ApiFixture api;

    @BeforeAll
    static void start() throws Exception {
        api = new ApiFixture(data);
    }

    @BeforeEach
    void startWithAnEmptyMesh() throws Exception {
        api.delete("/meshes/default/dataplanes/web-1");
        api.delete("/meshes/default");
        api.put("/meshes/default", "{\"type\":\"Mesh\",\"name\":\"default\",\"skipCreatingInitialPolicies\":[\"*\"]}");
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @Test
    void aNewControlPlaneHasADefaultMesh() throws Exception {
        Answer answer = api.get("/meshes");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("items").findValuesAsText("name")).contains("default");
    }

    @Test
    void whatWasPutComesBackEqual() throws Exception {
        String manifest = timeout("a", "20s");

        assertThat(api.put(TIMEOUTS + "/a", manifest).status()).isEqualTo(201);
        Answer read = api.get(TIMEOUTS + "/a");

        assertThat(read.status()).isEqualTo(200);
        assertThat(read.body().at("/spec/to/0/default/idleTimeout").asText()).isEqualTo("20s");
        assertThat(read.header("etag"))
                .isEqualTo("\"" + read.body().path("version").asText() + "\"");
    }

    @Test
    void tellsCreatedUpdatedAndUnchangedApart() throws Exception {
        assertThat(api.put(TIMEOUTS + "/a", timeout("a", "20s")).header("parley-outcome"))
                .isEqualTo("created");
        assertThat(api.put(TIMEOUTS + "/a", timeout("a", "20s")).header("parley-outcome"))
                .isEqualTo("unchanged");
        assertThat(api.put(TIMEOUTS + "/a", timeout("a", "21s")).header("parley-outcome"))
                .isEqualTo("updated");
    }

    @Test
    void takesYamlToo() throws Exception {
        String yaml = "type: Mesh\nname: second\n";

        Answer answer = api.send(api.request("PUT", "/meshes/second", yaml)
                .header("content-type", "application/yaml")
                .build());

        assertThat(answer.status()).isEqualTo(201);
    }

    @Test
    void aStaleVersionIsAConflictThatNamesBothVersions() throws Exception {
        long first = api.put(TIMEOUTS + "/a", timeout("a", "20s"))
                .body()
                .path("version")
                .asLong();
        long second = api.put(TIMEOUTS + "/a", timeout("a", "21s"))
                .body()
                .path("version")
                .asLong();

        Answer answer = api.send(api.request("PUT", TIMEOUTS + "/a", timeout("a", "22s"))
                .header("if-match", "\"" + first + "\"")
                .build());

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.type()).contains("application/problem+json");
        assertThat(answer.body().path("expected").asLong()).isEqualTo(first);
        assertThat(answer.body().path("actual").asLong()).isEqualTo(second);
        assertThat(api.get(TIMEOUTS + "/a").body().toString()).contains("21s");
    }

    @Test
    void createsOnlyIfAbsentWhenAskedTo() throws Exception {
        var create = api.request("PUT", TIMEOUTS + "/a", timeout("a", "20s")).header("if-none-match", "*");

        assertThat(api.send(create.build()).status()).isEqualTo(201);
        assertThat(api.send(create.build()).status()).isEqualTo(409);
        assertThat(api.send(api.request("PUT", TIMEOUTS + "/a", timeout("a", "20s"))
                                .header("if-match", "yesterday")
                                .build())
                        .status())
                .isEqualTo(400);
    }

    @Test
    void replacesOnlyWhatIsThereWhenAskedTo() throws Exception {
        var replace = api.request("PUT", TIMEOUTS + "/a", timeout("a", "20s")).header("if-match", "*");
        var delete = api.request("DELETE", TIMEOUTS + "/a", null).header("if-match", "*");

        Answer refused = api.send(replace.build());
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("expected").asText()).isEqualTo("present");
        api.put(TIMEOUTS + "/a", timeout("a", "19s"));
        assertThat(api.send(replace.build()).header("parley-outcome")).isEqualTo("updated");
        assertThat(api.send(delete.build()).status()).isEqualTo(200);
    }

    @Test
    void aDryRunStoresNothing() throws Exception {
        assertThat(api.put(TIMEOUTS + "/a?dryRun=true", timeout("a", "20s")).status())
                .isEqualTo(200);
        assertThat(api.get(TIMEOUTS + "/a").status()).isEqualTo(404);
    }

    @Test
    void listsInPagesThatAddUp() throws Exception {
        for (int i = 0; i < 7; i++) {
            api.put(TIMEOUTS + "/t" + i, timeout("t" + i, "20s"));
        }
        List<String> names = new ArrayList<>();
        String next = TIMEOUTS + "?size=3";
        int pages = 0;
        while (next != null) {
            JsonNode page = api.get(next).body();
            assertThat(page.path("total").asInt()).isEqualTo(7);
            names.addAll(page.path("items").findValuesAsText("name"));
            next = page.path("next").isNull() ? null : page.path("next").asText();
            pages++;
        }

        assertThat(pages).isEqualTo(3);
        assertThat(names).containsExactly("t0", "t1", "t2", "t3", "t4", "t5", "t6");
    }

    @Test
    void listsByLabelAndAcrossMeshes() throws Exception {
        api.put("/meshes/other", "{\"type\":\"Mesh\",\"name\":\"other\"}");
        api.put(TIMEOUTS + "/a", timeout("a", "20s").replace("\"spec\"", "\"labels\":{\"team\":\"blue\"},\"spec\""));
        api.put(TIMEOUTS + "/b", timeout("b", "20s"));
        api.put(
                "/meshes/other/meshtimeouts/c",
                timeout("c", "20s").replace("\"default\",\"name\"", "\"other\",\"name\""));

        assertThat(names(api.get(TIMEOUTS + "?label=team%3Dblue"))).containsExactly("a");
        assertThat(names(api.get(TIMEOUTS))).containsExactly("a", "b");
        assertThat(names(api.get("/meshtimeouts"))).containsExactly("a", "b", "c");
    }

    @Test
    void refusesAQueryThatMakesNoSense() throws Exception {
        Answer answer = api.get(TIMEOUTS + "?size=0&offset=x&label=y");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.violationPaths()).containsExactly("size", "offset", "label");
    }

    @Test
    void keepsKubernetesObjectsInTheirNamespace() throws Exception {
        String service = """
            {"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"shop"},
             "spec":{"ports":[{"port":80,"appProtocol":"kubernetes.io/h2c"}]}}\
            """;

        assertThat(api.put("/namespaces/shop/services/web", service).status()).isEqualTo(201);
        assertThat(api.get("/namespaces/shop/services/web")
                        .body()
                        .at("/spec/ports/0/appProtocol")
                        .asText())
                .isEqualTo("kubernetes.io/h2c");
        assertThat(api.get("/namespaces/other/services/web").status()).isEqualTo(404);
    }

    @Test
    void aMeshTakesWhatLivesInItAlong() throws Exception {
        api.put(TIMEOUTS + "/a", timeout("a", "20s"));

        assertThat(api.delete("/meshes/default").status()).isEqualTo(200);
        assertThat(api.get(TIMEOUTS + "/a").status()).isEqualTo(404);
        assertThat(api.delete("/meshes/default").status()).isEqualTo(404);
    }

    @Test
    void aMeshDoesNotGoWhileProxiesUseIt() throws Exception {
        String dataplane = """
            {"type":"Dataplane","mesh":"default","name":"web-1","networking":{"address":"127.0.0.1",
             "inbound":[{"port":8080,"tags":{"kuma.io/service":"web"}}]}}\
            """;
        assertThat(api.put("/meshes/default/dataplanes/web-1", dataplane).status())
                .isEqualTo(201);

        Answer answer = api.delete("/meshes/default");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body().path("detail").asText()).contains("1 dataplanes");
    }

    @Test
    void aResourceOfAMeshThatIsNotThereIsRefused() throws Exception {
        Answer answer = api.put(
                "/meshes/nowhere/meshtimeouts/a",
                timeout("a", "20s").replace("\"default\",\"name\"", "\"nowhere\",\"name\""));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.violationPaths()).containsExactly("mesh");
    }

    @Test
    void whatOnlyControlPlanesWriteIsRefused() throws Exception {
        Answer answer = api.put("/zone-insights/z", "{\"type\":\"ZoneInsight\",\"name\":\"z\",\"subscriptions\":[]}");

        assertThat(answer.status()).isEqualTo(403);
    }

    @Test
    void theControlPlanesOwnSecretsCannotBeChanged() throws Exception {
        JsonNode secret = api.get("/global-secrets/token-signing-key-1").body();

        assertThat(secret.path("labels").path("parley.io/sealed").asText()).isEqualTo("true");
        assertThat(api.delete("/global-secrets/token-signing-key-1").status()).isEqualTo(403);
        assertThat(api.put("/global-secrets/token-signing-key-1", secret.toString())
                        .status())
                .isEqualTo(403);
    }

    @Test
    void pathAndBodyMustAgree() throws Exception {
        assertThat(api.put(TIMEOUTS + "/b", timeout("a", "20s")).status()).isEqualTo(400);
        assertThat(api.put("/meshes/default/meshretries/a", timeout("a", "20s")).status())
                .isEqualTo(400);
    }

    @Test
    void unknownPathsAndMethodsAreProblems() throws Exception {
        for (String path : List.of(
                "/nothing", "/meshes/default/nothing/x", "/meshes/default/meshtimeouts/a/b", "/meshes//x", "/")) {
            assertThat(api.get(path).status()).as(path).isEqualTo(404);
            assertThat(api.get(path).type()).as(path).contains("application/problem+json");
        }
        assertThat(api.post(TIMEOUTS + "/a", "{}").status()).isEqualTo(405);
        assertThat(api.put(TIMEOUTS, "{}").status()).isEqualTo(405);
    }

    @Test
    void describesItself() throws Exception {
        List<String> kinds = api.get("/api").body().path("kinds").findValuesAsText("id");
        JsonNode openApi = api.get("/openapi.json").body();

        assertThat(kinds).contains("Mesh", "MeshTimeout", "VersionPolicy", "gateway.networking.k8s.io/HTTPRoute");
        assertThat(openApi.path("openapi").asText()).startsWith("3.1");
        assertThat(openApi.path("paths").has("/meshes/{mesh}/meshtimeouts/{name}"))
                .isTrue();
        assertThat(openApi.path("paths").size()).isGreaterThan(2 * kinds.size());
    }

    private static List<String> names(Answer answer) {
        return answer.body().path("items").findValuesAsText("name").stream()
                .filter(name -> name.length() == 1)
                .toList();
    }

    private static String timeout(String name, String idle) {
        return """
            {"type":"MeshTimeout","mesh":"default","name":"%s","spec":{"targetRef":{"kind":"Mesh"},\
            "to":[{"targetRef":{"kind":"Mesh"},"default":{"idleTimeout":"%s"}}]}}\
            """.formatted(name, idle);
    }
}
