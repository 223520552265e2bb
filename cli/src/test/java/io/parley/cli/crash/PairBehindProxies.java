package io.parley.cli.crash;

import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.parley.cli.FreePorts;
import io.parley.cli.client.ApiClient;
import io.parley.cli.demo.LocalMembers;
import io.parley.proxy.app.ProxyProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/** {@code web} calls {@code orders} by mutual TLS, each through its proxy; their control plane is a process that may die. */
final class PairBehindProxies implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path data;
    private final int machinePort = FreePorts.next();
    private final int outbound = FreePorts.next();
    private final HttpServer orders = orders();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<ProxyProgram> proxies = new ArrayList<>();
    private ControlPlaneProcess controlPlane;
    private final LocalMembers members;

    /**
     * Starts all of it; when this returns calls go through.
     *
     * @param life of a proxy's certificate
     */
    PairBehindProxies(Path data, String life) throws IOException {
        this.data = data;
        this.controlPlane = ControlPlaneProcess.startAt(machinePort, data);
        try (ApiClient api = api()) {
            members = new LocalMembers(data, api, machinePort, data.resolve("ca.pem"));
            members.apply(manifests(life));
            for (String name : List.of("orders-1", "web-1")) {
                proxies.add(members.join(name, _ -> {}));
            }
        }
        await().atMost(PATIENCE)
                .until(() ->
                        proxies.stream().allMatch(program -> program.proxy().isReady()));
        await().atMost(PATIENCE).ignoreExceptions().until(() -> status() == 200);
    }

    private ApiClient api() {
        return new ApiClient(controlPlane.api(), controlPlane.token(), data.resolve("ca.pem"));
    }

    /** What {@code web} gets when it calls. */
    int status() throws IOException {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + outbound + "/"))
                                    .timeout(PATIENCE)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    void kill() throws InterruptedException {
        controlPlane.kill();
    }

    /** Starts the control plane again. */
    void restart() throws IOException {
        controlPlane = ControlPlaneProcess.startAt(machinePort, data);
    }

    /** Returns when both proxies are connected. */
    void awaitProxies() {
        try (ApiClient api = api()) {
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> isOnline(api, "web-1") && isOnline(api, "orders-1"));
        }
    }

    private static boolean isOnline(ApiClient api, String name) {
        for (var each :
                api.get("/meshes/default/dataplane-insights/" + name).body().path("subscriptions")) {
            if (!each.has("disconnectTime")) {
                return true;
            }
        }
        return false;
    }

    /** What the control plane has for the two, and what they run on. */
    String configuration() {
        try (ApiClient api = api()) {
            StringBuilder all = new StringBuilder();
            for (String name : List.of("web-1", "orders-1")) {
                all.append(api.get("/meshes/default/dataplanes/" + name + "/_config")
                        .body());
            }
            proxies.forEach(program -> all.append(program.proxy().config().version()));
            return all.toString();
        }
    }

    private String manifests(String life) {
        return """
            type: Mesh
            name: default
            mtls:
              enabledBackend: ca
              backends: [{name: ca, type: builtin, dpCert: {rotation: {expiration: %s}}}]
            ---
            type: MeshTrafficPermission
            mesh: default
            name: all
            spec: {targetRef: {kind: Mesh}, from: [{targetRef: {kind: Mesh}, default: {action: Allow}}]}
            ---
            type: Dataplane
            mesh: default
            name: orders-1
            networking:
              address: 127.0.0.1
              inbound:
                - port: %d
                  servicePort: %d
                  serviceAddress: 127.0.0.1
                  tags: {kuma.io/service: orders, kuma.io/protocol: http}
            ---
            type: Dataplane
            mesh: default
            name: web-1
            networking:
              address: 127.0.0.1
              inbound: [{port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: web}}]
              outbound: [{port: %d, tags: {kuma.io/service: orders}}]
            """.formatted(
                life, FreePorts.next(), orders.getAddress().getPort(), FreePorts.next(), FreePorts.next(), outbound);
    }

    private static HttpServer orders() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            byte[] body = "ordered".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    @Override
    public void close() {
        http.shutdownNow();
        members.close();
        try {
            controlPlane.kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        orders.stop(0);
    }
}
