package io.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.cli.TestControlPlane.Result;
import io.parley.cli.client.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code parley explain} and {@code parley inspect} as people type them. */
class ExplainCommandTest {
    private static final String SHOP = """
        type: Dataplane
        mesh: default
        name: web-1
        networking:
          address: 10.0.0.1
          inbound: [{port: 8080, tags: {kuma.io/service: web, kuma.io/protocol: http}}]
        ---
        type: Dataplane
        mesh: default
        name: orders-1
        networking:
          address: 10.0.0.2
          inbound: [{port: 3306, tags: {kuma.io/service: orders}}]
        ---
        type: MeshTimeout
        mesh: default
        name: slow
        spec:
          to: [{targetRef: {kind: Mesh}, default: {idleTimeout: 10s}}]
        """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path data;

    @SuppressWarnings("NullAway.Init")
    private static TestControlPlane controlPlane;

    @BeforeAll
    static void start() {
        controlPlane = TestControlPlane.start(data);
        controlPlane.apply(SHOP);
        // The model follows what is stored, one after the other.
        await().until(() -> parley("inspect", "services").out().contains("orders"));
        await().until(() -> parley("inspect", "policies").out().contains("slow"));
    }

    @AfterAll
    static void stop() {
        controlPlane.close();
    }

    private static Result parley(String... args) {
        return controlPlane.parley(args);
    }

    @Test
    void explainsAConnection() {
        assertThat(parley("explain", "connection", "--from", "web", "--to", "orders:3306")
                        .out())
                .startsWith("connection in mesh default from web to orders:3306\n  from: Dataplane/web-1\n")
                .contains("  protocol: opaque\n      port 3306 is on the default list of opaque ports\n")
                .contains("  MeshTimeout idleTimeout to orders: 10s\n"
                        + "      from policy slow over mesh-timeout-all-default (1h): what somebody wrote beats"
                        + " what came with the mesh\n");
        assertThat(parley("explain", "connection", "--from", "web", "--to", "orders", "-o", "json")
                        .out())
                .contains("\"rule\" : \"opaque ports: default list\"");
    }

    @Test
    void explainsPolicies() {
        assertThat(parley("explain", "policy", "--dataplane", "web-1", "--to", "orders")
                        .out())
                .contains("(MeshTimeout/slow spec.to[0].default.idleTimeout, rule: what somebody wrote beats what came"
                        + " with the mesh)")
                .contains("(MeshRetry/mesh-retry-all-default spec.to[0].default.http.numRetries, rule: the only policy"
                        + " that sets it)");
    }

    @Test
    void saysWhatIsExpectedInThePlaceOfAnUnknownName() {
        Result result = parley("explain", "connection", "--from", "nobody", "--to", "orders");
        assertThat(result.exit()).isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(result.err()).contains("from: nobody (expected: the name of a Dataplane");
    }

    @Test
    void listsMeshesServicesAndPolicies() {
        assertThat(parley("inspect", "meshes").out()).contains("NAME", "default", "off");
        assertThat(parley("inspect", "services").out()).contains("orders", "1/1", "opaque");
        assertThat(parley("inspect", "policies").out()).contains("MeshTimeout", "slow", "applied");
    }
}
