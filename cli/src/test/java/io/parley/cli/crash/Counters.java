package io.parley.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A client that counts up in resources until its control plane dies, remembering what was acknowledged. Each number stands in the
 * resource twice, so that a half-written one would show.
 */
final class Counters {
    private static final int RESOURCES = 20;
    private static final String PATH = "/meshes/default/meshtimeouts";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String prefix;
    private final Map<String, Long> acknowledged = new HashMap<>();
    private final Map<String, Long> attempted = new HashMap<>();
    private long next;

    Counters(String prefix) {
        this.prefix = prefix;
    }

    long acknowledgedWrites() {
        return acknowledged.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /**
     * Writes one number after the other, until a write gets no answer or it is told to stop.
     *
     * @param writing counted down when writes go through
     */
    void writeUntilItDies(ControlPlaneProcess server, CountDownLatch writing, AtomicBoolean stop) {
        try {
            while (!stop.get()) {
                next++;
                String name = prefix + next % RESOURCES;
                attempted.put(name, next);
                HttpResponse<String> response = HTTP.send(put(server, name, next), BodyHandlers.ofString());
                assertThat(response.statusCode()).as(response.body()).isIn(200, 201);
                acknowledged.put(name, next);
                writing.countDown();
            }
        } catch (IOException e) {
            // It died: whether the last write was stored is open.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Every acknowledged number is there, or the one whose answer never came. */
    void verify(ControlPlaneProcess server) throws IOException, InterruptedException {
        Map<String, Long> stored = new HashMap<>();
        HttpResponse<String> response =
                HTTP.send(request(server, PATH + "?size=10000").GET().build(), BodyHandlers.ofString());
        for (JsonNode item : JSON.readTree(response.body()).path("items")) {
            if (item.path("labels").has("parley.io/initial")) {
                continue; // The mesh came with it.
            }
            String inSpec = item.at("/spec/to/0/default/idleTimeout").asText();
            String inLabel = item.path("labels").path("counter").asText();
            assertThat(inSpec).as("half written: %s", item).isEqualTo(inLabel + "ms");
            stored.put(item.path("name").asText(), Long.parseLong(inLabel));
        }
        attempted.forEach((name, last) -> {
            Long before = acknowledged.get(name);
            Long now = stored.get(name);
            assertThat(now == null ? Long.valueOf(-1) : now)
                    .as("%s: acknowledged %s, attempted %s", name, before, last)
                    .isIn(before == null ? -1L : before, last);
            if (now != null) {
                acknowledged.put(name, now);
            }
        });
    }

    private static HttpRequest put(ControlPlaneProcess server, String name, long number) {
        String body = """
            {"type":"MeshTimeout","mesh":"default","name":"%s","labels":{"counter":"%d"},\
            "spec":{"targetRef":{"kind":"Mesh"},"to":[{"targetRef":{"kind":"Mesh"},"default":{"idleTimeout":"%dms"}}]}}\
            """.formatted(name, number, number);
        return request(server, PATH + "/" + name)
                .header("content-type", "application/json")
                .PUT(BodyPublishers.ofString(body))
                .build();
    }

    private static HttpRequest.Builder request(ControlPlaneProcess server, String path) {
        URI uri = server.api().resolve(path);
        return HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(60))
                .header("authorization", "Bearer " + server.token());
    }
}
