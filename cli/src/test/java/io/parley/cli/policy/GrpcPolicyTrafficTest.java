package io.parley.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.parley.cli.FreePorts;
import io.parley.cli.policy.Shop.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What policies say about gRPC apart from HTTP. */
@SuppressWarnings("NullAway.Init")
class GrpcPolicyTrafficTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CROWD = 16;

    private static Shop shop;
    private static Quotes first;
    private static Quotes second;
    private static ManagedChannel channel;

    @BeforeAll
    static void open(@TempDir Path folder) throws IOException {
        shop = new Shop(folder);
        first = new Quotes("1");
        second = new Quotes("2");
        for (Quotes quotes : new Quotes[] {first, second}) {
            shop.join("quotes-" + quotes.name(), """
                address: 127.0.0.1
                inbound:
                  - port: %d
                    servicePort: %d
                    serviceAddress: 127.0.0.1
                    tags: {kuma.io/service: quotes, kuma.io/protocol: grpc}
                """.formatted(FreePorts.next(), quotes.port()));
        }
        int port = FreePorts.next();
        shop.join("web-2", """
            address: 127.0.0.1
            inbound: [{port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: web}}]
            outbound: [{port: %d, tags: {kuma.io/service: quotes}}]
            """.formatted(FreePorts.next(), FreePorts.next(), port));
        channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        await().atMost(PATIENCE).until(() -> crowd().equals(Set.of("1", "2")));
    }

    @AfterAll
    static void close() {
        channel.shutdownNow();
        shop.close();
        first.close();
        second.close();
    }

    @Test
    void meshRetryTriesACallAgainByItsStatus() {
        assertThat(flaky()).isEqualTo(Status.Code.UNAVAILABLE.name());
        try (Policy _ = shop.apply("MeshRetry", """
            targetRef: {kind: Mesh}
            to:
              - targetRef: {kind: MeshService, name: quotes}
                default:
                  grpc: {numRetries: 5, retryOn: [Unavailable], backOff: {baseInterval: 10ms, maxInterval: 20ms}}
            """)) {
            await().atMost(PATIENCE).until(() -> Set.of("1", "2").contains(flaky()));
        }
        await().atMost(PATIENCE).until(() -> flaky().equals(Status.Code.UNAVAILABLE.name()));
        first.failures.set(0);
        second.failures.set(0);
    }

    /** What comes of a call that fails once wherever it goes. */
    private static String flaky() {
        first.failures.set(1);
        second.failures.set(1);
        return ask();
    }

    @Test
    void meshHealthCheckAsksTheHealthServiceAndLeavesOutWhoIsUnwell() {
        first.unwell = true;
        await().atMost(PATIENCE).until(() -> crowd().equals(Set.of("1", "2")));
        try (Policy _ = shop.apply("MeshHealthCheck", """
            targetRef: {kind: Mesh}
            to:
              - targetRef: {kind: MeshService, name: quotes}
                default:
                  interval: 1s
                  timeout: 1s
                  unhealthyThreshold: 1
                  healthyThreshold: 1
                  grpc: {}
            """)) {
            await().atMost(PATIENCE).until(() -> crowd().equals(Set.of("2")));
            first.unwell = false;
            await().atMost(PATIENCE).until(() -> crowd().equals(Set.of("1", "2")));
        } finally {
            first.unwell = false;
        }
    }

    /** Who answered, or why nobody did. */
    private static String ask() {
        try {
            return Quotes.ask(channel);
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode().name();
        }
    }

    /** What many get who ask at the same time, so that the balancer uses all that it may use. */
    private static Set<String> crowd() {
        Set<String> answers = ConcurrentHashMap.newKeySet();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CROWD; i++) {
                callers.execute(() -> answers.add(ask()));
            }
        }
        return answers;
    }
}
