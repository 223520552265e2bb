package io.parley.control.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.parley.control.app.ControlPlane;
import io.parley.control.app.ControlPlaneConfig;
import io.parley.control.app.HostPort;
import io.parley.control.app.Mode;
import io.parley.control.app.StoreChoice;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A control plane in this process, and a client of its API. */
public final class ApiFixture implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ControlPlane controlPlane;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public ApiFixture(Path data) throws IOException {
        controlPlane = ControlPlane.start(new ControlPlaneConfig(
                data,
                HostPort.parse("127.0.0.1:0"),
                HostPort.parse("127.0.0.1:0"),
                null,
                new StoreChoice.Memory(),
                List.of(),
                null,
                null,
                new Mode.Standalone()));
    }

    /** What came back. */
    public record Answer(int status, String type, JsonNode body, HttpResponse<String> response) {
        public List<String> violationPaths() {
            return body.path("violations").findValuesAsText("path");
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }
    }

    URI uri(String path) {
        return controlPlane.apiUrl().resolve(path);
    }

    /** Where machines connect. */
    public int machinePort() {
        return controlPlane.machinePort();
    }

    /** A token for the data plane of this name in the mesh "default". */
    public String dataplaneToken(String name) throws Exception {
        Answer answer = post("/tokens/dataplane", "{\"mesh\":\"default\",\"name\":\"" + name + "\"}");
        return answer.body().path("token").asText();
    }

    /** As it stands in the data folder now. */
    public String adminToken() throws IOException {
        return Files.readString(controlPlane.adminTokenFile()).strip();
    }

    public Answer get(String path) throws Exception {
        return send(request("GET", path, null).build());
    }

    public Answer put(String path, String json) throws Exception {
        return send(request("PUT", path, json)
                .header("content-type", "application/json")
                .build());
    }

    public Answer post(String path, String json) throws Exception {
        return send(request("POST", path, json)
                .header("content-type", "application/json")
                .build());
    }

    public Answer delete(String path) throws Exception {
        return send(request("DELETE", path, null).build());
    }

    HttpRequest.Builder request(String method, String path, @Nullable String body) throws IOException {
        return anonymous(method, path, body).header("authorization", "Bearer " + adminToken());
    }

    HttpRequest.Builder anonymous(String method, String path, @Nullable String body) {
        return HttpRequest.newBuilder(uri(path))
                .timeout(Duration.ofSeconds(30))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    }

    Answer send(HttpRequest request) throws Exception {
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        String type = response.headers().firstValue("content-type").orElse("");
        JsonNode body = type.contains("json") ? JSON.readTree(response.body()) : JSON.nullNode();
        return new Answer(response.statusCode(), type, body, response);
    }

    @Override
    public void close() {
        http.close();
        controlPlane.close();
    }
}
