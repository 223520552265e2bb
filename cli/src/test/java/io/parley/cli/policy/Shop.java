package io.parley.cli.policy;

import static org.awaitility.Awaitility.await;

import io.parley.cli.FreePorts;
import io.parley.cli.client.ApiClient;
import io.parley.cli.demo.LocalMesh;
import io.parley.control.api.ResourcePath;
import io.parley.control.app.HostPort;
import io.parley.proxy.app.ProxyProgram;
import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A mesh with mutual TLS in which {@code web} calls {@code orders}, of which there are two, and {@code ledger}, which speaks no HTTP, each
 * process with a proxy of its own.
 */
final class Shop implements AutoCloseable {
    /** How many ask at the same time where it matters. */
    static final int CROWD = 16;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Whoever is let in has its answer by then. */
    private static final Duration ANSWERED = Duration.ofSeconds(2);

    /** What is to become of the policies that a mesh comes with. */
    enum Initial {
        KEPT,
        LEFT_OUT
    }

    private final Orders first = Orders.start("1");
    private final Orders second = Orders.start("2");
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final LocalMesh mesh;
    private final int ordersPort = FreePorts.next();
    private final int ledgerPort = FreePorts.next();
    private final int ordersInbound = FreePorts.next();

    /** A shop without policies but those that a test applies. */
    Shop(Path folder) throws IOException {
        this(folder, Initial.LEFT_OUT);
    }

    Shop(Path folder, Initial policies) throws IOException {
        mesh = LocalMesh.start(folder, HostPort.parse("127.0.0.1:0"), HostPort.parse("127.0.0.1:0"));
        if (policies == Initial.LEFT_OUT) {
            mesh.api().delete("/meshes/default");
            mesh.apply("{type: Mesh, name: default, skipCreatingInitialPolicies: ['*']}");
        }
        secure("ca", "{name: ca, type: builtin}");
        mesh.apply(permission("Allow"));
        mesh.apply(orders("orders-1", ordersInbound, first)
                + orders("orders-2", FreePorts.next(), second)
                + ledger()
                + web());
        List<ProxyProgram> proxies = new ArrayList<>();
        for (String name : List.of("orders-1", "orders-2", "ledger-1", "web-1")) {
            proxies.add(mesh.join(name, _ -> {}));
        }
        await().atMost(PATIENCE)
                .until(() ->
                        proxies.stream().allMatch(program -> program.proxy().isReady()));
        awaitStatus("/", 200);
    }

    Orders first() {
        return first;
    }

    Orders second() {
        return second;
    }

    /** Where the proxy before the first of orders listens. */
    int ordersInbound() {
        return ordersInbound;
    }

    /** The port of this machine at which web reaches orders. */
    int ordersPort() {
        return ordersPort;
    }

    /** The port of this machine at which web reaches the echo. */
    int ledgerPort() {
        return ledgerPort;
    }

    /** Puts a policy in force; close it to take it back. */
    Policy apply(String kind, String spec) {
        mesh.apply("""
            type: %s
            mesh: default
            name: tested
            spec:
            %s
            """.formatted(kind, spec.indent(2)));
        String path = ResourcePath.of(new ResourceKey(new KindId(kind), "default", "tested"));
        return () -> mesh.api().delete(path);
    }

    /** Applies something else. */
    void applyAlso(String yaml) {
        mesh.apply(yaml);
    }

    ApiClient api() {
        return mesh.api();
    }

    /** A policy that holds for a while. */
    interface Policy extends AutoCloseable {
        @Override
        void close();
    }

    /** Says who signs in the mesh, and whom else it believes. */
    void secure(String enabled, String backends) {
        mesh.apply("""
            type: Mesh
            name: default
            mtls: {enabledBackend: %s, backends: [%s]}
            """.formatted(enabled, backends));
    }

    void permit(String action) {
        mesh.apply(permission(action));
    }

    /** Lets one more process with a proxy in; {@code networking} is that of its Dataplane. */
    void join(String name, String networking) throws IOException {
        declare(name, networking);
        ProxyProgram program = mesh.join(name, _ -> {});
        await().atMost(PATIENCE).until(() -> program.proxy().isReady());
    }

    /** Says that there is one more process, whose place somebody else takes. */
    void declare(String name, String networking) {
        mesh.apply("""
            type: Dataplane
            mesh: default
            name: %s
            networking:
            %s
            """.formatted(name, networking.indent(2)));
    }

    /** What web gets when it asks for {@code path}. */
    HttpResponse<String> get(String path, String... fields) {
        return ask("GET", path, fields);
    }

    /** What web gets with any method. */
    HttpResponse<String> ask(String method, String path, String... fields) {
        try {
            return send(method, "127.0.0.1:" + ordersPort, path, fields);
        } catch (IOException e) {
            throw new IllegalStateException("no answer", e);
        }
    }

    private HttpResponse<String> send(int port, String path, String... fields) throws IOException {
        return send("127.0.0.1:" + port, path, fields);
    }

    /** What is answered at an address of this machine. */
    HttpResponse<String> send(String address, String path, String... fields) throws IOException {
        return send("GET", address, path, fields);
    }

    private HttpResponse<String> send(String method, String address, String path, String... fields) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(PATIENCE);
        if (fields.length > 0) {
            request.headers(fields);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Whether the proxy before the first of orders answers somebody who is no member and does not encrypt. */
    boolean isAnsweredInClear() {
        try {
            return send(ordersInbound, "/").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    int status(String path) {
        return get(path).statusCode();
    }

    void awaitStatus(String path, int expected) {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> status(path) == expected);
    }

    /** The statuses that many get who ask at the same time. */
    Set<Integer> crowd(String path) {
        Set<Integer> statuses = ConcurrentHashMap.newKeySet();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CROWD; i++) {
                callers.execute(() -> statuses.add(status(path)));
            }
        }
        return statuses;
    }

    /** Whether what is sent to a port of this machine comes back. */
    static boolean echoes(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return echoes(socket);
        } catch (IOException e) {
            return false;
        }
    }

    static boolean echoes(Socket socket) throws IOException {
        socket.setSoTimeout((int) ANSWERED.toMillis());
        socket.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
        return socket.getInputStream().readNBytes(5).length == 5;
    }

    private static String permission(String action) {
        return """
            type: MeshTrafficPermission
            mesh: default
            name: web-may
            spec:
              targetRef: {kind: Mesh}
              from: [{targetRef: {kind: MeshService, name: web}, default: {action: %s}}]
            """.formatted(action);
    }

    private static String orders(String name, int port, Orders application) {
        return """
            ---
            type: Dataplane
            mesh: default
            name: %1$s
            networking:
              address: 127.0.0.1
              inbound:
                - port: %2$d
                  servicePort: %3$d
                  serviceAddress: 127.0.0.1
                  tags: {kuma.io/service: orders, kuma.io/protocol: http, version: v%4$s}
            """.formatted(name, port, application.httpPort(), name.substring(name.length() - 1));
    }

    private String ledger() throws IOException {
        return """
            ---
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
            """.formatted(FreePorts.next(), first.echoPort());
    }

    private String web() throws IOException {
        return """
            ---
            type: Dataplane
            mesh: default
            name: web-1
            annotations: {parley.io/virtual-outbounds: loopback}
            networking:
              address: 127.0.0.1
              inbound: [{port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: web}}]
              outbound:
                - {port: %d, tags: {kuma.io/service: orders}}
                - {port: %d, tags: {kuma.io/service: ledger}}
            """.formatted(FreePorts.next(), FreePorts.next(), ordersPort, ledgerPort);
    }

    @Override
    public void close() {
        http.shutdownNow();
        mesh.close();
        first.close();
        second.close();
    }
}
