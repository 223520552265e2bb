package io.parley.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.cli.FreePorts;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traffic by names that are made from tags, from a workload that is not intercepted and finds them on loopback. */
class VirtualOutboundTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @SuppressWarnings("NullAway.Init")
    private static Shop shop;

    private static int port;

    @BeforeAll
    static void open(@TempDir Path folder) throws IOException {
        shop = new Shop(folder);
        port = FreePorts.next();
        shop.applyAlso("""
            type: VirtualOutbound
            mesh: default
            name: by-version
            selectors: [{match: {kuma.io/service: "*", version: "*"}}]
            conf:
              host: "{{.version}}.{{.service}}.mesh"
              port: "%1$d"
              parameters: [{name: service, tagKey: kuma.io/service}, {name: version}]
            ---
            type: VirtualOutbound
            mesh: default
            name: plain
            selectors: [{match: {kuma.io/service: ledger}}]
            conf: {host: "{{.service}}.mesh", port: "%1$d", parameters: [{name: service, tagKey: kuma.io/service}]}
            """.formatted(port));
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    @Test
    void requestsToANameReachTheInstancesThatItIsMadeFrom() throws IOException {
        for (String version : new String[] {"1", "2"}) {
            String address = address("v" + version + ".orders.mesh");
            // One request may come while the proxy is being told of the name, and is given up after as long. What came
            // last is told.
            await().atMost(PATIENCE.multipliedBy(2))
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .untilAsserted(() -> assertThat(ask(address)).isEqualTo("200 " + version));
            for (int i = 0; i < 20; i++) {
                assertThat(ask(address)).isEqualTo("200 " + version);
            }
        }
    }

    @Test
    void connectionsToANameAreCarriedToo() {
        String address = address("ledger.mesh");
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            try (Socket socket = new Socket(address, port)) {
                socket.getOutputStream().write("noted".getBytes(StandardCharsets.US_ASCII));
                return new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII).equals("noted");
            }
        });
    }

    @Test
    void theNameIsExplained() {
        String address = address("v1.orders.mesh");
        for (String to : new String[] {"v1.orders.mesh:" + port, address + ":" + port}) {
            JsonNode step = shop.api()
                    .get("/meshes/default/explain/connection?from=web-1&to=" + to)
                    .body()
                    .path("steps")
                    .get(1);
            assertThat(step.path("value").asText()).isEqualTo("service orders, instances with {version=v1}");
            assertThat(step.path("because").asText())
                    .contains("v1.orders.mesh:" + port, "the proxy listens for it at " + address);
            assertThat(step.path("resource").asText()).isEqualTo("VirtualOutbound/by-version");
        }
    }

    @Test
    void aNameComesAndGoesWithTheInstancesThatItIsMadeFrom() {
        String more = """
            type: Dataplane
            mesh: default
            name: orders-9
            networking:
              address: 127.0.0.1
              inbound: [{port: %d, tags: {kuma.io/service: orders, kuma.io/protocol: http, version: v9}}]
            """.formatted(shop.ordersInbound());
        shop.applyAlso(more);
        String address = address("v9.orders.mesh");
        await().atMost(PATIENCE).until(() -> isListening(address));
        shop.api().delete("/meshes/default/dataplanes/orders-9");
        await().atMost(PATIENCE).until(() -> !isListening(address));
        assertThat(find("v9.orders.mesh")).isEmpty();
    }

    private static String ask(String address) throws IOException {
        HttpResponse<String> answer = shop.send(address + ":" + port, "/");
        return answer.statusCode() + " " + answer.body();
    }

    private static boolean isListening(String address) throws IOException {
        try (Socket socket = new Socket(address, port)) {
            return socket.isConnected();
        } catch (ConnectException _) {
            return false;
        }
    }

    private static String address(String host) {
        return await().atMost(PATIENCE)
                .until(() -> find(host), Optional::isPresent)
                .orElseThrow();
    }

    private static Optional<String> find(String host) {
        for (JsonNode each :
                shop.api().get("/meshes/default/inspect/names").body().path("items")) {
            if (each.path("host").asText().equals(host)) {
                return Optional.of(each.path("loopback").asText());
            }
        }
        return Optional.empty();
    }
}
