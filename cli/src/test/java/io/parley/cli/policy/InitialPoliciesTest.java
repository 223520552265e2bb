package io.parley.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.cli.policy.Shop.Policy;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a mesh comes with acts on traffic, and gives way to what people write. */
class InitialPoliciesTest {
    @Test
    void aNewMeshTriesAgainUntilSomebodySaysOtherwise(@TempDir Path folder) throws IOException {
        try (Shop shop = new Shop(folder, Shop.Initial.KEPT)) {
            failTwice(shop);
            assertThat(shop.status("/flaky")).isEqualTo(200);
            // By name it would come after mesh-retry-all-default, and lose.
            try (Policy _ = shop.apply("MeshRetry", """
                targetRef: {kind: Mesh}
                to: [{targetRef: {kind: Mesh}, default: {http: {numRetries: 0}}}]
                """)) {
                await().until(() -> {
                    failTwice(shop);
                    return shop.status("/flaky") == 503;
                });
            }
            assertThat(shop.api()
                            .get("/meshes/default/explain/policy?dataplane=web-1&to=orders")
                            .body()
                            .toString())
                    .contains("mesh-retry-all-default", "mesh-timeout-all-default");
        }
    }

    /** Of whichever the two calls reach. */
    private static void failTwice(Shop shop) {
        shop.first().failures.set(1);
        shop.second().failures.set(1);
    }
}
