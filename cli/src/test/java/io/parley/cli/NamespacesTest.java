package io.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.cli.client.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policies that came from namespaces, under the names that they have there. */
class NamespacesTest {
    @SuppressWarnings("NullAway.Init")
    private static TestControlPlane controlPlane;

    @BeforeAll
    static void start(@TempDir Path data) {
        controlPlane = TestControlPlane.start(data);
        controlPlane.apply(timeout("shop"));
        controlPlane.apply(timeout("bank"));
    }

    @AfterAll
    static void stop() {
        controlPlane.close();
    }

    @Test
    void aTableTellsEqualNamesApart() {
        assertThat(controlPlane.parley("get", "meshtimeouts").out())
                .containsPattern("MESH +NAMESPACE +NAME")
                .containsPattern("default +shop +web")
                .containsPattern("default +bank +web");
        assertThat(controlPlane.parley("get", "meshtimeouts", "-n", "shop").out())
                .contains("shop")
                .doesNotContain("bank");
    }

    @Test
    void aNamespaceNamesOneOfThem() {
        controlPlane.apply(timeout("store"));
        assertThat(controlPlane
                        .parley("get", "meshtimeout", "web", "-n", "store", "-o", "yaml")
                        .out())
                .contains("namespace: store");
        assertThat(controlPlane
                        .parley("delete", "meshtimeout", "web", "-n", "store")
                        .exit())
                .isZero();
        assertThat(controlPlane.parley("get", "meshtimeouts").out())
                .contains("bank")
                .doesNotContain("store");
    }

    @Test
    void whoForgetsTheNamespaceIsToldIt() {
        for (String command : new String[] {"get", "delete"}) {
            TestControlPlane.Result result = controlPlane.parley(command, "meshtimeout", "web");

            assertThat(result.exit()).isEqualTo(ExitCode.NOT_FOUND.number());
            assertThat(result.err()).containsPattern("-n (shop|bank)");
        }
    }

    private static String timeout(String namespace) {
        return """
            apiVersion: kuma.io/v1alpha1
            kind: MeshTimeout
            metadata: {name: web, namespace: %s, labels: {kuma.io/mesh: default}}
            spec:
              targetRef: {kind: Mesh}
              to: [{targetRef: {kind: Mesh}, default: {idleTimeout: 20s}}]
            """.formatted(namespace);
    }
}
