package io.parley.cli.policy;

import static org.awaitility.Awaitility.await;

import io.parley.cli.FreePorts;
import io.parley.cli.policy.Shop.Policy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a MeshHealthCheck asks, and what it makes of the answer. */
class HealthCheckTrafficTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

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
    void knowsTheStatusesOfWhoIsWell() {
        shop.first().unwell = true;
        shop.second().broken = true;
        await().atMost(PATIENCE).until(() -> shop.crowd("/pause").equals(Set.of(200, 500)));
        try (Policy _ = shop.apply("MeshHealthCheck", """
            targetRef: {kind: Mesh}
            to:
              - targetRef: {kind: MeshService, name: orders}
                default:
                  interval: 1s
                  timeout: 1s
                  unhealthyThreshold: 1
                  healthyThreshold: 1
                  http: {path: /health, expectedStatuses: [503]}
            """)) {
            await().atMost(PATIENCE).until(() -> shop.crowd("/pause").equals(Set.of(200)));
        } finally {
            shop.first().unwell = false;
            shop.second().broken = false;
        }
    }

    /** {@code R0VUI…} says {@code GET /health HTTP/1.1}, with a host; {@code IDIwMCA=} is the status of its answer. */
    @Test
    void talksTheProtocolThatAServiceIsDeclaredToSpeak() {
        shop.first().unwell = true;
        shop.first().broken = true;
        await().atMost(PATIENCE).until(() -> shop.crowd("/pause").equals(Set.of(200, 500)));
        try (Policy _ = shop.apply("MeshHealthCheck", """
            targetRef: {kind: Mesh}
            to:
              - targetRef: {kind: MeshService, name: orders}
                default:
                  interval: 1s
                  timeout: 1s
                  unhealthyThreshold: 1
                  healthyThreshold: 1
                  tcp: {send: R0VUIC9oZWFsdGggSFRUUC8xLjENCmhvc3Q6IG9yZGVycw0KDQo=, receive: [IDIwMCA=]}
            """)) {
            await().atMost(PATIENCE).until(() -> shop.crowd("/pause").equals(Set.of(200)));
        } finally {
            shop.first().unwell = false;
            shop.first().broken = false;
        }
    }

    @Test
    void knocksAtAnEndpointThatNobodyCalls() throws IOException {
        try (ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            shop.declare("vault-1", """
                address: 127.0.0.1
                inbound: [{port: %d, tags: {kuma.io/service: vault, kuma.io/protocol: tcp}}]
                """.formatted(door.getLocalPort()));
            shop.join("web-2", """
                address: 127.0.0.1
                inbound: [{port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: web}}]
                outbound: [{port: %d, tags: {kuma.io/service: vault}}]
                """.formatted(FreePorts.next(), FreePorts.next(), FreePorts.next()));
            try (Policy _ = shop.apply("MeshHealthCheck", """
                targetRef: {kind: Mesh}
                to: [{targetRef: {kind: MeshService, name: vault}, default: {interval: 1s, timeout: 1s, tcp: {}}}]
                """)) {
                door.setSoTimeout((int) PATIENCE.toMillis());
                door.accept().close();
                door.accept().close();
            }
        }
    }

    @Test
    void waitsForAnAnswerFromBehindAProxy() throws IOException {
        try (ServerSocket wrong = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> saysNo(wrong));
            till("till-1", shop.first().echoPort());
            till("till-2", wrong.getLocalPort());
            int port = FreePorts.next();
            shop.join("web-3", """
                address: 127.0.0.1
                inbound: [{port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: web}}]
                outbound: [{port: %d, tags: {kuma.io/service: till}}]
                """.formatted(FreePorts.next(), FreePorts.next(), port));
            await().atMost(PATIENCE).until(() -> Shop.echoes(port));
            await().atMost(PATIENCE).until(() -> !Shop.echoes(port));
            // aGVsbG8= says hello.
            try (Policy _ = shop.apply("MeshHealthCheck", """
                targetRef: {kind: Mesh}
                to:
                  - targetRef: {kind: MeshService, name: till}
                    default: {interval: 1s, timeout: 1s, unhealthyThreshold: 1, tcp: {send: aGVsbG8=, receive: [aGVsbG8=]}}
                """)) {
                await().atMost(PATIENCE)
                        .until(() -> IntStream.range(0, Shop.CROWD).allMatch(_ -> Shop.echoes(port)));
            }
        }
    }

    /** As fast as whoever echoes, so that nothing but its answer speaks against it. */
    private static void saysNo(ServerSocket door) {
        while (!door.isClosed()) {
            try (Socket caller = door.accept()) {
                var _ = caller.getInputStream().read();
                caller.getOutputStream().write("no".getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // The caller is gone, or the door.
            }
        }
    }

    private static void till(String name, int application) throws IOException {
        shop.join(name, """
            address: 127.0.0.1
            inbound: [{port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: till, kuma.io/protocol: tcp}}]
            """.formatted(FreePorts.next(), application));
    }
}
