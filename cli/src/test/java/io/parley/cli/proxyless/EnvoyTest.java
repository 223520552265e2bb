package io.parley.cli.proxyless;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.parley.cli.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real Envoy is a member of a mesh with strict mutual TLS like any proxy of ours. */
class EnvoyTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int TEAPOT = 418;
    private static final String GREETING = "220 mail.example";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** What one side calls of the other: declared and undeclared HTTP, bytes, and a server that speaks first and says nowhere so. */
    private record Calls(int declared, int undeclared, int bytes, int greeting) {
        static Calls free() {
            return new Calls(FreePorts.next(), FreePorts.next(), FreePorts.next(), FreePorts.next());
        }
    }

    /** The applications of both sides. */
    private record Applications(HttpServer site, ServerSocket echo, ServerSocket greeter) {}

    @ParameterizedTest
    @EnumSource
    void takesAllThatItIsToldServesAndCallsOthersAndFollowsChanges(Envoy.Variant variant, @TempDir Path folder)
            throws Exception {
        Calls toLink = Calls.free();
        Calls toEnvoy = Calls.free();
        HttpServer site = site();
        try (ServerSocket echo = Echo.start();
                ServerSocket greeter = greeter();
                MixedMesh mesh = new MixedMesh(folder)) {
            var all = new Applications(site, echo, greeter);
            mesh.apply(dataplane("by-envoy", all, toLink, "by-link") + dataplane("by-link", all, toEnvoy, "by-envoy"));
            var _ = mesh.join("by-link");
            try (Envoy envoy = Envoy.start(mesh, "by-envoy", variant, folder)) {
                await().atMost(PATIENCE).ignoreExceptions().until(envoy::isReady);
                for (Calls calls : List.of(toLink, toEnvoy)) {
                    awaitStatus(calls.declared(), 200);
                    awaitStatus(calls.undeclared(), 200);
                    await().atMost(PATIENCE).ignoreExceptions().until(() -> Echo.echoes(calls.bytes()));
                    assertThat(greeting(calls.greeting())).isEqualTo(GREETING);
                }
                envoy.assertNothingRejected();

                mesh.apply(policies(folder));
                awaitStatus(toEnvoy.declared(), TEAPOT);
                awaitStatus(toEnvoy.undeclared(), TEAPOT);
                awaitStatus(toLink.declared(), 202);
                await().atMost(PATIENCE).ignoreExceptions().until(() -> Echo.echoes(toEnvoy.bytes()));
                envoy.assertNothingRejected();
            }
        } finally {
            site.stop(0);
            http.close();
        }
    }

    /** Answers 200, and 202 below another path. */
    private static HttpServer site() throws IOException {
        HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Map.of("/", 200, "/elsewhere", 202)
                .forEach((path, status) -> site.createContext(path, exchange -> {
                    exchange.sendResponseHeaders(status, -1);
                    exchange.close();
                }));
        site.start();
        return site;
    }

    /** Speaks first, as databases and mail servers do. */
    private static ServerSocket greeter() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                    client.getOutputStream().write(GREETING.getBytes(US_ASCII));
                } catch (IOException e) {
                    // It was closed, or the client is gone.
                }
            }
        });
        return server;
    }

    /** What a client hears that says nothing. */
    private static String greeting(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            return new String(socket.getInputStream().readNBytes(GREETING.length()), US_ASCII);
        }
    }

    private void awaitStatus(int port, int expected) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .timeout(PATIENCE)
                .build();
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(http.send(request, HttpResponse.BodyHandlers.discarding())
                                .statusCode())
                        .isEqualTo(expected));
    }

    private static String dataplane(String name, Applications all, Calls calls, String to) {
        return """
            ---
            type: Dataplane
            mesh: default
            name: %1$s
            networking:
              address: 127.0.0.1
              inbound:
                - {port: %3$d, servicePort: %7$d, tags: {kuma.io/service: %1$s-declared, kuma.io/protocol: http}}
                - {port: %4$d, servicePort: %7$d, tags: {kuma.io/service: %1$s-undeclared}}
                - {port: %5$d, servicePort: %8$d, tags: {kuma.io/service: %1$s-bytes, kuma.io/protocol: tcp}}
                - {port: %6$d, servicePort: %9$d, tags: {kuma.io/service: %1$s-greeting}}
              outbound:
                - {port: %10$d, tags: {kuma.io/service: %2$s-declared}}
                - {port: %11$d, tags: {kuma.io/service: %2$s-undeclared}}
                - {port: %12$d, tags: {kuma.io/service: %2$s-bytes}}
                - {port: %13$d, tags: {kuma.io/service: %2$s-greeting}}
            """.formatted(
                        name,
                        to,
                        FreePorts.next(),
                        FreePorts.next(),
                        FreePorts.next(),
                        FreePorts.next(),
                        all.site().getAddress().getPort(),
                        all.echo().getLocalPort(),
                        all.greeter().getLocalPort(),
                        calls.declared(),
                        calls.undeclared(),
                        calls.bytes(),
                        calls.greeting());
    }

    private static String policies(Path folder) throws IOException {
        try (var file = EnvoyTest.class.getResourceAsStream("/io/parley/cli/proxyless/envoy-policies.yaml")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
                    .replace("FOLDER", folder.toString());
        }
    }
}
