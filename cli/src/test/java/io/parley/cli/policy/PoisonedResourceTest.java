package io.parley.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.cli.FreePorts;
import io.parley.cli.demo.LocalMesh;
import io.parley.control.app.HostPort;
import io.parley.proxy.app.ProxyProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One bad resource among a hundred: a proxy takes the others, says which one it does not take, and is not pressed. */
class PoisonedResourceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(5);
    private static final int LISTENERS = 100;
    private static final int POISONED = 42;
    private static final int CHANGES = 20;
    private static final String LISTENER = "type.googleapis.com/envoy.config.listener.v3.Listener";

    @Test
    void ninetyNineServeOneIsRefusedByNameAndTriedAtMostEveryFiveSeconds(@TempDir Path folder) throws IOException {
        List<Integer> ports = freePorts();
        try (Orders orders = Orders.start("1");
                LocalMesh mesh =
                        LocalMesh.start(folder, HostPort.parse("127.0.0.1:0"), HostPort.parse("127.0.0.1:0"))) {
            mesh.apply(dataplanes(orders, ports));
            mesh.apply(poison(ports.get(POISONED), 1));
            long begun = System.nanoTime();
            ProxyProgram proxy = mesh.join("web-1", _ -> {});
            var _ = mesh.join("ledger-1", _ -> {});
            await().atMost(PATIENCE)
                    .until(() -> proxy.proxy().config().listeners().size() == LISTENERS);
            for (int i = 0; i < LISTENERS; i++) {
                int port = ports.get(i);
                if (i != POISONED) {
                    await().atMost(PATIENCE).ignoreExceptions().until(() -> echoes(port));
                }
            }
            assertThat(proxy.proxy().config().listeners())
                    .noneMatch(listener -> listener.address().getPort() == ports.get(POISONED));
            await().atMost(PATIENCE)
                    .until(() -> status(mesh).path("responsesRejected").asInt() == 1);
            assertThat(status(mesh).path("rejection").asText())
                    .contains("outbound:127.0.0.1:" + ports.get(POISONED), "per_connection_buffer_limit_bytes");

            // However often the poison changes, the proxy is asked again only so often.
            for (int i = 2; i < CHANGES; i++) {
                mesh.apply(poison(ports.get(POISONED), i));
            }
            await().atMost(PATIENCE)
                    .until(() -> status(mesh).path("responsesRejected").asInt() > 1);
            long rejected = status(mesh).path("responsesRejected").asLong();
            long lasted = System.nanoTime() - begun;
            assertThat(rejected).isLessThanOrEqualTo(1 + lasted / BETWEEN_TRIES.toNanos());
        }
    }

    private static JsonNode status(LocalMesh mesh) {
        return mesh.api()
                .get("/meshes/default/dataplane-insights/web-1")
                .body()
                .path("subscriptions")
                .path(0)
                .path("status")
                .path(LISTENER);
    }

    private static boolean echoes(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write("entry".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().readNBytes(5).length == 5;
        }
    }

    private static String poison(int port, int bytes) {
        return """
            type: MeshProxyPatch
            mesh: default
            name: poison
            spec:
              targetRef: {kind: Mesh}
              default:
                appendModifications:
                  - listener:
                      operation: Patch
                      match: {name: "outbound:127.0.0.1:%d"}
                      value: "perConnectionBufferLimitBytes: %d"
            """.formatted(port, bytes);
    }

    private static String dataplanes(Orders orders, List<Integer> ports) throws IOException {
        StringBuilder yaml = new StringBuilder("""
            type: Dataplane
            mesh: default
            name: ledger-1
            networking:
              address: 127.0.0.1
              inbound:
                - port: %d
                  servicePort: %d
                  serviceAddress: 127.0.0.1
                  tags: {kuma.io/service: ledger, kuma.io/protocol: tcp}
            ---
            type: Dataplane
            mesh: default
            name: web-1
            networking:
              address: 127.0.0.1
              inbound: [{port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: web}}]
              outbound:
            """.formatted(
                        freePorts(1).getFirst(),
                        orders.echoPort(),
                        ports.getLast(),
                        freePorts(1).getFirst()));
        ports.subList(0, LISTENERS)
                .forEach(port ->
                        yaml.append("    - {port: ").append(port).append(", tags: {kuma.io/service: ledger}}\n"));
        return yaml.toString();
    }

    /** One for each outbound, and one more for the inbound. */
    private static List<Integer> freePorts() throws IOException {
        return freePorts(LISTENERS + 1);
    }

    private static List<Integer> freePorts(int count) {
        return IntStream.range(0, count).mapToObj(_ -> FreePorts.next()).toList();
    }
}
