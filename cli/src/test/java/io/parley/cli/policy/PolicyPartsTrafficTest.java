package io.parley.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.cli.policy.Shop.Policy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a part of a policy does by itself, beside what {@link PolicyTrafficTest} shows of the whole. */
class PolicyPartsTrafficTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int ALWAYS = 1_000_000;

    @SuppressWarnings("NullAway.Init")
    private static Shop shop;

    @BeforeAll
    static void open(@TempDir Path folder) throws IOException {
        shop = new Shop(folder);
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    private static Policy retry(String http) {
        return shop.apply("MeshRetry", """
            targetRef: {kind: Mesh}
            to: [{targetRef: {kind: MeshService, name: orders}, default: {http: %s}}]
            """.formatted(http));
    }

    @Test
    void meshRetryTriesAgainTheMethodsAndStatusesThatItNames() {
        try (Policy _ = retry("{numRetries: 5, retryOn: ['503', Reset, HttpMethodPost]}")) {
            await().atMost(PATIENCE).until(() -> flaky("POST") == 200);
            assertThat(flaky("GET")).isEqualTo(503);
        }
        await().atMost(PATIENCE).until(() -> flaky("POST") == 503);
        fail(0);
    }

    @Test
    void meshRetryGivesEachTryItsTime() {
        try (Policy _ = retry("{numRetries: 1, perTryTimeout: 200ms}")) {
            shop.awaitStatus("/slow", 504);
        }
        shop.awaitStatus("/slow", 200);
    }

    /** What comes of a request that fails once wherever it goes. */
    private static int flaky(String method) {
        fail(1);
        return shop.ask(method, "/flaky").statusCode();
    }

    private static void fail(int times) {
        shop.first().failures.set(times);
        shop.second().failures.set(times);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "to: [{targetRef: {kind: Mesh}, default: {connectionLimits: {maxRequests: 1}}}]",
                "to: [{targetRef: {kind: Mesh}, default: {connectionLimits: {maxConnections: 1, maxPendingRequests:"
                        + " 1}}}]",
                "from: [{targetRef: {kind: Mesh}, default: {connectionLimits: {maxRequests: 1}}}]",
                "from: [{targetRef: {kind: Mesh}, default: {connectionLimits: {maxConnections: 1, maxPendingRequests:"
                        + " 1}}}]"
            })
    void meshCircuitBreakerRefusesWhatIsMoreThanMayBeUnderWay(String limits) {
        await().atMost(PATIENCE).until(() -> shop.crowd("/pause").equals(Set.of(200)));
        try (Policy _ = shop.apply("MeshCircuitBreaker", "targetRef: {kind: Mesh}\n" + limits)) {
            await().atMost(PATIENCE).until(() -> shop.crowd("/pause").equals(Set.of(200, 503)));
        }
        await().atMost(PATIENCE).until(() -> shop.crowd("/pause").equals(Set.of(200)));
    }

    @Test
    void meshCircuitBreakerRefusesConnectionsThatAreTooMany() throws IOException {
        try (Policy _ = shop.apply("MeshCircuitBreaker", """
            targetRef: {kind: Mesh}
            to: [{targetRef: {kind: MeshService, name: ledger}, default: {connectionLimits: {maxConnections: 1}}}]
            """)) {
            await().atMost(PATIENCE).until(() -> {
                try (Socket first = new Socket(InetAddress.getLoopbackAddress(), shop.ledgerPort())) {
                    return Shop.echoes(first) && !Shop.echoes(shop.ledgerPort());
                }
            });
        }
        await().atMost(PATIENCE).until(() -> Shop.echoes(shop.ledgerPort()));
    }

    @Test
    void meshCircuitBreakerLeavesOutAnEndpointThatIsUnavailable() {
        shop.first().failures.set(ALWAYS);
        await().atMost(PATIENCE).until(() -> shop.crowd("/flaky").equals(Set.of(200, 503)));
        try (Policy _ = shop.apply("MeshCircuitBreaker", """
            targetRef: {kind: Mesh}
            to:
              - targetRef: {kind: MeshService, name: orders}
                default:
                  outlierDetection:
                    baseEjectionTime: 600s
                    maxEjectionPercent: 50
                    detectors: {gatewayFailures: {consecutive: 2}}
            """)) {
            await().atMost(PATIENCE).until(() -> shop.crowd("/flaky").equals(Set.of(200)));
            assertThat(shop.crowd("/flaky")).containsExactly(200);
        } finally {
            fail(0);
        }
    }

    private static Policy fault(String fault) {
        return shop.apply("MeshFaultInjection", """
            targetRef: {kind: MeshService, name: orders}
            from: [{targetRef: {kind: Mesh}, default: {http: [%s]}}]
            """.formatted(fault));
    }

    @Test
    void meshFaultInjectionMakesRequestsWait() {
        assertThat(shop.status("/")).isEqualTo(200);
        try (Policy _ = fault("{delay: {value: 2s, percentage: 100}}")) {
            await().atMost(PATIENCE).until(() -> took("/") >= 2_000);
        }
        await().atMost(PATIENCE).until(() -> took("/") < 2_000);
    }

    @Test
    void meshFaultInjectionMakesAnswersSlow() {
        assertThat(shop.get("/large").body()).hasSize(64 * 1024);
        // 64 KiB at 24 KiB a second.
        try (Policy _ = fault("{responseBandwidth: {limit: 200kbps, percentage: 100}}")) {
            await().atMost(PATIENCE).until(() -> took("/large") >= 1_500);
        }
        await().atMost(PATIENCE).until(() -> took("/large") < 1_500);
    }

    @Test
    void meshFaultInjectionHarmsTheCallersThatItNames() {
        try (Policy _ = shop.apply("MeshFaultInjection", """
            targetRef: {kind: MeshService, name: orders}
            from:
              - {targetRef: {kind: MeshService, name: ledger}, default: {http: [{abort: {httpStatus: 410, percentage: 100}}]}}
              - {targetRef: {kind: MeshService, name: web}, default: {http: [{abort: {httpStatus: 418, percentage: 100}}]}}
            """)) {
            shop.awaitStatus("/", 418);
            // Whoever claims to be another is not believed.
            assertThat(shop.get("/", "x-forwarded-client-cert", "URI=spiffe://default/ledger")
                            .statusCode())
                    .isEqualTo(418);
        }
        shop.awaitStatus("/", 200);
    }

    private static long took(String path) {
        long begun = System.nanoTime();
        shop.get(path);
        return Duration.ofNanos(System.nanoTime() - begun).toMillis();
    }

    @Test
    void meshRateLimitRefusesConnectionsThatAreTooMany() {
        try (Policy _ = shop.apply("MeshRateLimit", """
            targetRef: {kind: MeshService, name: ledger}
            from:
              - targetRef: {kind: Mesh}
                default: {local: {tcp: {connectionRate: {num: 2, interval: 600s}}}}
            """)) {
            await().atMost(PATIENCE).until(() -> IntStream.range(0, 3).noneMatch(_ -> Shop.echoes(shop.ledgerPort())));
        }
        await().atMost(PATIENCE).until(() -> Shop.echoes(shop.ledgerPort()));
    }

    @Test
    void meshRateLimitAnswersAsItIsTold() {
        try (Policy _ = shop.apply("MeshRateLimit", """
            targetRef: {kind: MeshService, name: orders}
            from:
              - targetRef: {kind: Mesh}
                default:
                  local:
                    http:
                      requestRate: {num: 1, interval: 600s}
                      onRateLimit: {status: 423, headers: {set: [{name: x-limited, value: "yes"}]}}
            """)) {
            shop.awaitStatus("/", 423);
            await().atMost(PATIENCE)
                    .until(() -> shop.get("/").headers().firstValue("x-limited").isPresent());
        }
        shop.awaitStatus("/", 200);
    }

    @Test
    void meshTrafficPermissionLetsInWhomARuleAllows() {
        shop.permit("Deny");
        try {
            await().atMost(PATIENCE).ignoreExceptions().until(() -> shop.status("/") >= 400);
            try (Policy _ = shop.apply("MeshTrafficPermission", """
                targetRef: {kind: MeshService, name: orders}
                rules: [{default: {allow: [{spiffeID: {type: Exact, value: 'spiffe://default/web'}}]}}]
                """)) {
                shop.awaitStatus("/", 200);
            }
            await().atMost(PATIENCE).ignoreExceptions().until(() -> shop.status("/") >= 400);
        } finally {
            shop.permit("Allow");
        }
        shop.awaitStatus("/", 200);
    }

    /** Each of them makes every request fail. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cluster: {operation: Patch, match: {name: orders}, value: 'circuitBreakers: {thresholds:"
                        + " [{maxRequests: 0}]}'}",
                "cluster: {operation: Patch, match: {name: orders}, jsonPatches: [{op: add, path: /circuitBreakers,"
                        + " value: {thresholds: [{maxRequests: 0}]}}]}",
                "httpFilter: {operation: AddFirst, match: {origin: outbound}, value: '{name: envoy.filters.http.fault,"
                    + " typedConfig: {\"@type\": type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault,"
                    + " abort: {httpStatus: 503, percentage: {numerator: 100}}}}'}"
            })
    void meshProxyPatchChangesClustersAndFilters(String modification) {
        assertThat(shop.status("/")).isEqualTo(200);
        try (Policy _ = patch(modification)) {
            shop.awaitStatus("/", 503);
        }
        shop.awaitStatus("/", 200);
    }

    @Test
    void meshProxyPatchTakesAListenerAway() {
        assertThat(Shop.echoes(shop.ledgerPort())).isTrue();
        try (Policy _ = patch(
                "listener: {operation: Remove, match: {name: 'outbound:127.0.0.1:%d'}}".formatted(shop.ledgerPort()))) {
            await().atMost(PATIENCE).until(() -> !Shop.echoes(shop.ledgerPort()));
        }
        await().atMost(PATIENCE).until(() -> Shop.echoes(shop.ledgerPort()));
    }

    private static Policy patch(String modification) {
        return shop.apply("MeshProxyPatch", """
            targetRef: {kind: MeshService, name: web}
            default: {appendModifications: [{%s}]}
            """.formatted(modification));
    }
}
