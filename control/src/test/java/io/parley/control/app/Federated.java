package io.parley.control.app;

import io.parley.resource.Document;
import io.parley.sync.cache.Pace;
import io.parley.sync.zone.Channels;
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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Control planes of several modes in this process, that speak to each other by TLS as they would from anywhere. */
final class Federated implements AutoCloseable {
    static final String TIMEOUTS = "/meshes/default/meshtimeouts/";

    private final Path folder;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<ControlPlane> open = new ArrayList<>();

    Federated(Path folder) {
        this.folder = folder;
    }

    ControlPlane global() {
        return start("global", new Mode.Global());
    }

    ControlPlane zone(String name, ControlPlane global) throws IOException, InterruptedException {
        return zone(name, global, "");
    }

    /** A zone of a tenant; another tenant may have one of the same name. */
    ControlPlane zone(String name, ControlPlane global, String tenant) throws IOException, InterruptedException {
        return start(name + tenant, zoneOf(global, name, tenant));
    }

    ControlPlane start(String name, Mode mode) {
        return start(name, mode, new StoreChoice.Memory(), null);
    }

    ControlPlane start(String name, Mode mode, StoreChoice store, @Nullable Path masterKey) {
        ControlPlane started = ControlPlane.start(new ControlPlaneConfig(
                folder.resolve(name),
                HostPort.parse("127.0.0.1:0"),
                HostPort.parse("127.0.0.1:0"),
                null,
                store,
                List.of(),
                null,
                masterKey,
                mode));
        open.add(started);
        return started;
    }

    private Mode zoneOf(ControlPlane global, String name, String tenant) throws IOException, InterruptedException {
        String request = "{\"zone\":\"" + name + "\",\"tenant\":\"" + tenant + "\"}";
        Path token = folder.resolve(name + tenant + ".token");
        Files.writeString(token, token(send(global, "POST", "/tokens/zone", request)));
        URI url = URI.create("grpcs://127.0.0.1:" + global.machinePort());
        return new Mode.Zone(name, new Channels(url, global.caFile(), token), Pace.DEFAULT);
    }

    static String token(HttpResponse<String> issued) {
        return new Document(issued.body()).tree().path("token").asText();
    }

    /**
     * A policy.
     *
     * @param labels as the fields of a JSON object; none if empty
     */
    static String timeout(String name, String labels, int seconds) {
        return "{\"type\":\"MeshTimeout\",\"mesh\":\"default\",\"name\":\"" + name + "\",\"labels\":{" + labels + "},"
                + "\"spec\":{\"targetRef\":{\"kind\":\"Mesh\"},\"to\":[{\"targetRef\":{\"kind\":\"Mesh\"},"
                + "\"default\":{\"idleTimeout\":\"" + seconds + "s\"}}]}}";
    }

    int put(ControlPlane to, String path, String body) throws IOException, InterruptedException {
        return send(to, "PUT", path, body).statusCode();
    }

    String get(ControlPlane from, String path) throws IOException, InterruptedException {
        return send(from, "GET", path, "").body();
    }

    HttpResponse<String> send(ControlPlane to, String method, String path, String body)
            throws IOException, InterruptedException {
        return send(to, method, path, body, "");
    }

    /** As the operator, in the realm of a tenant. */
    HttpResponse<String> send(ControlPlane to, String method, String path, String body, String tenant)
            throws IOException, InterruptedException {
        return send(to, method, path, body, tenant, Files.readString(to.adminTokenFile()));
    }

    HttpResponse<String> send(ControlPlane to, String method, String path, String body, String tenant, String token)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(to.apiUrl().resolve(path))
                        .timeout(Duration.ofSeconds(30))
                        .header("authorization", "Bearer " + token.strip())
                        .header("content-type", "application/json")
                        .header("tenant", tenant)
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    @Override
    public void close() {
        open.reversed().forEach(ControlPlane::close);
        http.close();
    }
}
