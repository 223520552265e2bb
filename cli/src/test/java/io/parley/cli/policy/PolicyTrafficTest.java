package io.parley.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.cli.policy.Shop.Policy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each policy does something that is not so without it. */
class PolicyTrafficTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CROWD = 16;

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

    @Test
    void meshTimeoutEndsARequestThatTakesTooLong() {
        assertThat(shop.status("/slow")).isEqualTo(200);
        try (Policy _ = shop.apply("MeshTimeout", """
            targetRef: {kind: Mesh}
            to: [{targetRef: {kind: MeshService, name: orders}, default: {http: {requestTimeout: 200ms}}}]
            """)) {
            shop.awaitStatus("/slow", 504);
        }
        shop.awaitStatus("/slow", 200);
    }

    @Test
    void meshTimeoutClosesAConnectionThatIsIdle() {
        try (Policy _ = shop.apply("MeshTimeout", """
            targetRef: {kind: Mesh}
            to: [{targetRef: {kind: MeshService, name: ledger}, default: {idleTimeout: 1s}}]
            """)) {
            await().atMost(PATIENCE).until(PolicyTrafficTest::ledgerClosesWhenIdle);
        }
    }

    @Test
    void meshRetryTriesAgain() {
        assertThat(flaky()).isEqualTo(503);
        try (Policy _ = shop.apply("MeshRetry", """
            targetRef: {kind: Mesh}
            to:
              - targetRef: {kind: MeshService, name: orders}
                default: {http: {numRetries: 5, retryOn: ["5xx"], backOff: {baseInterval: 10ms, maxInterval: 20ms}}}
            """)) {
            await().atMost(PATIENCE).until(() -> flaky() == 200);
        }
        // Others are not to find it in force.
        await().atMost(PATIENCE).until(() -> flaky() == 503);
        shop.first().failures.set(0);
        shop.second().failures.set(0);
    }

    /** What comes of a request that fails once wherever it goes. */
    private static int flaky() {
        shop.first().failures.set(1);
        shop.second().failures.set(1);
        return shop.status("/flaky");
    }

    @Test
    void meshCircuitBreakerLeavesOutAnEndpointThatFails() {
        shop.first().broken = true;
        await().atMost(PATIENCE)
                .until(() -> crowd().equals(Set.of("500", shop.second().name())));
        try (Policy _ = shop.apply("MeshCircuitBreaker", """
            targetRef: {kind: Mesh}
            to:
              - targetRef: {kind: MeshService, name: orders}
                default:
                  outlierDetection:
                    interval: 1s
                    baseEjectionTime: 600s
                    maxEjectionPercent: 50
                    detectors: {totalFailures: {consecutive: 2}}
            """)) {
            await().atMost(PATIENCE)
                    .until(() -> crowd().equals(Set.of(shop.second().name())));
            assertThat(crowd()).containsExactly(shop.second().name());
        } finally {
            shop.first().broken = false;
        }
        awaitBoth();
    }

    @Test
    void meshHealthCheckLeavesOutAnEndpointThatIsUnwell() {
        shop.first().unwell = true;
        awaitBoth();
        try (Policy _ = shop.apply("MeshHealthCheck", """
            targetRef: {kind: Mesh}
            to:
              - targetRef: {kind: MeshService, name: orders}
                default:
                  interval: 1s
                  timeout: 1s
                  unhealthyThreshold: 1
                  healthyThreshold: 1
                  http: {path: /health, expectedStatuses: [200]}
            """)) {
            await().atMost(PATIENCE)
                    .until(() -> crowd().equals(Set.of(shop.second().name())));
            shop.first().unwell = false;
            awaitBoth();
        } finally {
            shop.first().unwell = false;
        }
    }

    @Test
    void meshFaultInjectionMakesRequestsFail() {
        assertThat(shop.status("/")).isEqualTo(200);
        try (Policy _ = shop.apply("MeshFaultInjection", """
            targetRef: {kind: MeshService, name: orders}
            from: [{targetRef: {kind: Mesh}, default: {http: [{abort: {httpStatus: 418, percentage: 100}}]}}]
            """)) {
            shop.awaitStatus("/", 418);
        }
        shop.awaitStatus("/", 200);
    }

    @Test
    void meshRateLimitRefusesWhatIsTooMuch() {
        try (Policy _ = shop.apply("MeshRateLimit", """
            targetRef: {kind: MeshService, name: orders}
            from:
              - targetRef: {kind: Mesh}
                default: {local: {http: {requestRate: {num: 2, interval: 600s}, onRateLimit: {status: 429}}}}
            """)) {
            await().atMost(PATIENCE).until(() -> IntStream.range(0, 10).allMatch(_ -> shop.status("/") == 429));
        }
        shop.awaitStatus("/", 200);
    }

    @Test
    void meshTrafficPermissionDecidesWhoMayCall() {
        assertThat(shop.status("/")).isEqualTo(200);
        shop.permit("Deny");
        try {
            await().atMost(PATIENCE).ignoreExceptions().until(() -> shop.status("/") >= 400);
        } finally {
            shop.permit("Allow");
        }
        shop.awaitStatus("/", 200);
    }

    /** A caller by the beginning of its name, and by nothing but the name that it asks for. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{spiffeID: {type: Prefix, value: 'spiffe://default/we'}}",
                "{sni: {type: Exact, value: orders.default}}"
            })
    void meshTrafficPermissionKeepsOutWhomARuleDenies(String match) {
        assertThat(shop.status("/")).isEqualTo(200);
        try (Policy _ = shop.apply("MeshTrafficPermission", """
            targetRef: {kind: MeshService, name: orders}
            rules: [{default: {deny: [%s]}}]
            """.formatted(match))) {
            await().atMost(PATIENCE).ignoreExceptions().until(() -> shop.status("/") >= 400);
        }
        shop.awaitStatus("/", 200);
    }

    @Test
    void aPermissiveMeshLetsClearTextInAndJudgesMembersAllTheSame() {
        assertThat(shop.isAnsweredInClear()).isFalse();
        shop.secure("ca", "{name: ca, type: builtin, mode: PERMISSIVE}");
        try {
            await().atMost(PATIENCE).until(shop::isAnsweredInClear);
            assertThat(shop.status("/")).isEqualTo(200);
            shop.permit("Deny");
            await().atMost(PATIENCE).ignoreExceptions().until(() -> shop.status("/") >= 400);
            assertThat(shop.isAnsweredInClear()).isTrue();
        } finally {
            shop.permit("Allow");
            shop.secure("ca", "{name: ca, type: builtin}");
        }
        shop.awaitStatus("/", 200);
        await().atMost(PATIENCE).until(() -> !shop.isAnsweredInClear());
    }

    @Test
    void meshHttpRouteSendsSomeRequestsElsewhereAndChangesThem() {
        Orders other = favourite() == shop.first() ? shop.second() : shop.first();
        try (Policy _ = shop.apply("MeshHTTPRoute", """
            targetRef: {kind: Mesh}
            to:
              - targetRef: {kind: MeshService, name: orders}
                rules:
                  - matches: [{path: {type: PathPrefix, value: /v2}}]
                    default:
                      filters:
                        - {type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: x-routed, value: "yes"}]}}
                      backendRefs: [{kind: MeshServiceSubset, name: orders, tags: {version: v%s}, weight: 1}]
            """.formatted(other.name()))) {
            await().atMost(PATIENCE).until(() -> who("/v2/x").equals(Set.of(other.name())));
            other.received.clear();
            assertThat(shop.status("/v2/x")).isEqualTo(200);
            assertThat(other.received.element().headers().get("x-routed")).isEqualTo("yes");
            other.received.clear();
            assertThat(shop.status("/elsewhere")).isEqualTo(200);
            assertThat(other.received).noneMatch(request -> request.headers().contains("x-routed"));
        }
    }

    @Test
    void meshProxyPatchChangesWhatAProxyIsTold() {
        assertThat(shop.get("/").headers().firstValue("x-patched")).isEmpty();
        try (Policy _ = shop.apply("MeshProxyPatch", """
            targetRef: {kind: MeshService, name: web}
            default:
              appendModifications:
                - virtualHost:
                    operation: Patch
                    match: {origin: outbound}
                    value: |
                      responseHeadersToAdd: [{header: {key: x-patched, value: "yes"}}]
            """)) {
            await().atMost(PATIENCE)
                    .until(() -> shop.get("/").headers().firstValue("x-patched").isPresent());
        }
        await().atMost(PATIENCE)
                .until(() -> shop.get("/").headers().firstValue("x-patched").isEmpty());
    }

    /** Whom the balancer chooses as long as nobody else is busy: it goes by latency. */
    private static Orders favourite() {
        return shop.get("/").body().equals(shop.first().name()) ? shop.first() : shop.second();
    }

    /** What many get who ask at the same time, so that the balancer uses all that it may use, the quick and the slow. */
    private static Set<String> crowd() {
        Set<String> answers = ConcurrentHashMap.newKeySet();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CROWD; i++) {
                callers.execute(() -> {
                    HttpResponse<String> answer = shop.get("/pause");
                    answers.add(answer.statusCode() == 200 ? answer.body() : "" + answer.statusCode());
                });
            }
        }
        return answers;
    }

    private static void awaitBoth() {
        await().atMost(PATIENCE).until(() -> crowd().equals(Set.of("1", "2")));
    }

    /** Which of the two answered a few requests. */
    private static Set<String> who(String path) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            names.add(shop.get(path).body());
        }
        return names;
    }

    private static boolean ledgerClosesWhenIdle() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), shop.ledgerPort())) {
            socket.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().readNBytes(5)).hasSize(5);
            socket.setSoTimeout(5_000);
            return isClosed(socket);
        }
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() == -1;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true;
        }
    }
}
