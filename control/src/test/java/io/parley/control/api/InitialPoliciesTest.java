package io.parley.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The policies that a mesh comes with. */
class InitialPoliciesTest {
    private static final List<String> KINDS = List.of("meshtimeouts", "meshcircuitbreakers", "meshretries");

    @TempDir
    private Path data;

    @SuppressWarnings("NullAway.Init")
    private ApiFixture api;

    @BeforeEach
    void start() throws Exception {
        api = new ApiFixture(data);
    }

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void theFirstMeshAndEveryNewOneHaveThemByKumasNames() throws Exception {
        assertThat(names("default"))
                .containsExactlyInAnyOrder(
                        "mesh-timeout-all-default",
                        "mesh-gateways-timeout-all-default",
                        "mesh-circuit-breaker-all-default",
                        "mesh-retry-all-default");
        mesh("shop", "");
        assertThat(names("shop")).hasSize(4).allMatch(name -> name.endsWith("-all-shop"));
        var retries = api.get("/meshes/shop/meshretries/mesh-retry-all-shop").body();
        assertThat(retries.at("/spec/to/0/default/http/numRetries").asInt()).isEqualTo(5);
        assertThat(retries.at("/labels/parley.io~1initial").asText()).isEqualTo("true");
    }

    @Test
    void aMeshMaySayWhichItIsToBeWithout() throws Exception {
        mesh("none", ",\"skipCreatingInitialPolicies\":[\"*\"]");
        mesh("some", ",\"skipCreatingInitialPolicies\":[\"MeshTimeout\",\"MeshRetry\"]");
        assertThat(names("none")).isEmpty();
        assertThat(names("some")).containsExactly("mesh-circuit-breaker-all-some");
    }

    @Test
    void whatWasDeletedStaysGoneAndWhatWasWrittenIsTheirsWhoWroteIt() throws Exception {
        mesh("shop", "");
        api.delete("/meshes/shop/meshretries/mesh-retry-all-shop");
        api.put("/meshes/shop/meshcircuitbreakers/mesh-circuit-breaker-all-shop", """
            {"type":"MeshCircuitBreaker","mesh":"shop","name":"mesh-circuit-breaker-all-shop",
             "spec":{"to":[{"targetRef":{"kind":"Mesh"},"default":{"connectionLimits":{"maxConnections":7}}}]}}
            """);
        mesh("shop", ",\"networking\":{\"outbound\":{\"passthrough\":false}}");
        assertThat(names("shop")).hasSize(3).doesNotContain("mesh-retry-all-shop");
        assertThat(api.get("/meshes/shop/meshcircuitbreakers/mesh-circuit-breaker-all-shop")
                        .body()
                        .path("labels")
                        .isEmpty())
                .isTrue();
    }

    @Test
    void theyGoWithTheMeshAndComeWithItAgain() throws Exception {
        mesh("shop", "");
        api.delete("/meshes/shop");
        assertThat(names("shop")).isEmpty();
        mesh("shop", "");
        assertThat(names("shop")).hasSize(4);
    }

    private void mesh(String name, String more) throws Exception {
        assertThat(api.put("/meshes/" + name, "{\"type\":\"Mesh\",\"name\":\"" + name + "\"" + more + "}")
                        .status())
                .isBetween(200, 201);
    }

    private List<String> names(String mesh) throws Exception {
        List<String> names = new ArrayList<>();
        for (String kind : KINDS) {
            api.get("/meshes/" + mesh + "/" + kind)
                    .body()
                    .path("items")
                    .forEach(each -> names.add(each.path("name").asText()));
        }
        return names;
    }
}
