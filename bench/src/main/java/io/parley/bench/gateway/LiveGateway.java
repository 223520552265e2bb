package io.parley.bench.gateway;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.server.Server;
import io.parley.control.api.ResourcePath;
import io.parley.control.app.ControlPlane;
import io.parley.control.app.ControlPlaneConfig;
import io.parley.control.app.HostPort;
import io.parley.control.app.Mode;
import io.parley.control.app.StoreChoice;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Origin;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.join.ControlPlaneLink;
import io.parley.resource.Resource;
import io.parley.resource.manifest.ManifestReader;
import io.parley.resource.manifest.ManifestWriter;
import io.parley.resource.manifest.Manifests;
import io.parley.resource.manifest.ServerFields;
import io.parley.resource.manifest.StatusField;
import io.parley.resource.text.Syntax;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A control plane, the proxy of a Gateway that it configures, and a backend that answers with the protocol it is spoken to in. */
final class LiveGateway implements AutoCloseable {
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final Server backend;
    private final ControlPlane controlPlane;
    private final ProxyProgram proxy;
    private final String admin;
    private final URI served;

    LiveGateway() throws IOException, InterruptedException {
        backend = Server.builder()
                .port(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SessionProtocol.HTTP)
                .serviceUnder(
                        "/",
                        (context, _) ->
                                HttpResponse.of(context.sessionProtocol().isMultiplex() ? "HTTP/2" : "HTTP/1"))
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
                .build();
        backend.start().join();
        Path data = Files.createTempDirectory("parley-bench");
        HostPort anywhere = HostPort.parse("127.0.0.1:0");
        controlPlane = ControlPlane.start(new ControlPlaneConfig(
                data,
                anywhere,
                anywhere,
                null,
                new StoreChoice.Memory(),
                List.of(),
                null,
                null,
                new Mode.Standalone()));
        admin = Files.readString(controlPlane.adminTokenFile()).strip();
        int port = freePort();
        served = URI.create("http://127.0.0.1:" + port + "/");
        apply(objects(port, backend.activeLocalPort()));
        declare(null);
        proxy = join(data);
    }

    private static String objects(int listener, int endpoint) {
        return """
            apiVersion: gateway.networking.k8s.io/v1
            kind: GatewayClass
            metadata: {name: parley}
            spec: {controllerName: parley.io/gateway-controller}
            ---
            apiVersion: gateway.networking.k8s.io/v1
            kind: Gateway
            metadata: {name: edge, namespace: edge}
            spec:
              gatewayClassName: parley
              addresses: [{value: 127.0.0.1}]
              listeners: [{name: web, port: %1$d, protocol: HTTP}]
            ---
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: app, namespace: edge}
            spec:
              parentRefs: [{name: edge}]
              rules: [{backendRefs: [{name: app, port: 80}]}]
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: app, namespace: edge, labels: {kubernetes.io/service-name: app}}
            addressType: IPv4
            endpoints: [{addresses: [127.0.0.1]}]
            ports: [{port: %2$d}]
            """.formatted(listener, endpoint);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private ProxyProgram join(Path data) throws IOException, InterruptedException {
        String answer = call("POST", "/tokens/gateway", "{\"name\":\"edge\",\"namespace\":\"edge\"}");
        String token = answer.replaceFirst("(?s).*\"token\"\\s*:\\s*\"([^\"]+)\".*", "$1");
        var settings = new ControlPlaneLink.Settings(
                URI.create("https://127.0.0.1:" + controlPlane.machinePort()),
                Files.writeString(data.resolve("edge.token"), token),
                controlPlane.caFile(),
                "default",
                "edge.edge",
                "0.0.0",
                "edge/edge");
        var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return ProxyProgram.start(
                new ProxyProgram.Options(
                        new Origin.ControlPlane(settings), new Overrides(null, null, anyPort, null), 1),
                Surroundings.real(),
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    /** What the Service's port says of its protocol; null for nothing. Returns when the control plane has stored it. */
    void declare(@Nullable String protocol) throws IOException, InterruptedException {
        apply("""
            apiVersion: v1
            kind: Service
            metadata: {name: app, namespace: edge}
            spec: {ports: [{port: 80%s}]}
            """.formatted(protocol == null ? "" : ", appProtocol: kubernetes.io/" + protocol));
    }

    /** What a client gets: the protocol that the backend saw, or a status. */
    String answer() throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(served).timeout(Duration.ofSeconds(30)).build();
        var answer = http.send(request, BodyHandlers.ofString());
        return answer.statusCode() == 200 ? answer.body() : String.valueOf(answer.statusCode());
    }

    /** Whether the route's status says that the backend's protocol can be spoken. */
    boolean isResolved() throws IOException, InterruptedException {
        return !call("GET", "/namespaces/edge/httproutes/app", "").contains("\"UnsupportedProtocol\"");
    }

    private void apply(String yaml) throws IOException, InterruptedException {
        Manifests manifests =
                new ManifestReader(StatusField.DROP).read(yaml.getBytes(StandardCharsets.UTF_8), Syntax.YAML);
        for (Resource resource : manifests.resources()) {
            String _ = call("PUT", ResourcePath.of(resource.key()), ManifestWriter.json(resource, ServerFields.NONE));
        }
    }

    private String call(String method, String path, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(controlPlane.apiUrl().resolve(path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("content-type", "application/json")
                .header("authorization", "Bearer " + admin)
                .timeout(Duration.ofSeconds(30))
                .build();
        var answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }

    @Override
    public void close() {
        proxy.close();
        controlPlane.close();
        backend.stop().join();
        http.shutdownNow();
    }
}
