package io.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A control plane, the proxies of Gateways and backends in one process, used as people use them: by manifests and requests. */
final class GatewayBed implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int IN_A_ROW = 3;

    private final Path data;
    private final ControlPlane controlPlane;
    private final Map<String, EchoBackend> backends = new HashMap<>();
    private final List<ProxyProgram> proxies = new ArrayList<>();
    private final ClientFactory clients = ClientFactory.builder()
            .idleTimeout(Duration.ofSeconds(1))
            .tlsNoVerify()
            .addressResolverGroupFactory(_ -> new Loopback())
            .build();
    private int files;

    GatewayBed(Path data) {
        this.data = data;
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
        apply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: GatewayClass
            metadata: {name: parley}
            spec: {controllerName: parley.io/gateway-controller}
            """);
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A Service with one endpoint; ports as {@code 8080} or {@code 8081=kubernetes.io/h2c}, all of the same backend. */
    void service(String namespace, String name, String... ports) {
        EchoBackend backend = backends.computeIfAbsent(namespace + "/" + name, _ -> new EchoBackend(name));
        endpoints(namespace, name, backend.port(), ports);
    }

    void endpoints(String namespace, String name, int number, String... ports) {
        StringBuilder declared = new StringBuilder();
        StringBuilder served = new StringBuilder();
        for (String port : ports) {
            String[] parts = port.split("=", 2);
            declared.append("    - {name: p%1$s, port: %1$s%2$s}\n"
                    .formatted(parts[0], parts.length > 1 ? ", appProtocol: " + parts[1] : ""));
            served.append("  - {name: p%s, port: %d}\n".formatted(parts[0], number));
        }
        apply("""
            apiVersion: v1
            kind: Service
            metadata: {name: %2$s, namespace: %1$s}
            spec:
              ports:
            %3$s---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: %2$s-1, namespace: %1$s, labels: {kubernetes.io/service-name: %2$s}}
            addressType: IPv4
            endpoints: [{addresses: [127.0.0.1]}]
            ports:
            %4$s\
            """.formatted(namespace, name, declared, served));
    }

    /** Applies a Gateway of namespace infra, starts its proxy, and waits until its status says that it is served. */
    void gateway(String name, String listeners) {
        apply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: Gateway
            metadata: {name: %s, namespace: infra}
            spec:
              gatewayClassName: parley
              addresses: [{value: 127.0.0.1}]
              listeners:
            %s\
            """.formatted(name, listeners.indent(4)));
        join(name);
        await(name)
                .until(() ->
                        parley("get", "gateways", name, "-n", "infra").out().contains("True"));
    }

    private void join(String name) {
        Path token = data.resolve(name + ".token");
        write(
                token,
                parley("token", "gateway", "--name", name, "-n", "infra").out().strip());
        var settings = new ControlPlaneLink.Settings(
                URI.create("https://127.0.0.1:" + controlPlane.machinePort()),
                token,
                controlPlane.caFile(),
                "default",
                name + ".infra",
                "0.0.0",
                "infra/" + name);
        var overrides = new Overrides(null, null, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
        proxies.add(ProxyProgram.start(
                new ProxyProgram.Options(new Origin.ControlPlane(settings), overrides, 1),
                Surroundings.real(),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8)));
    }

    void apply(String yaml) {
        Path file = data.resolve("manifest-" + files++ + ".yaml");
        write(file, yaml);
        Result result = parley("apply", "-f", file.toString());
        assertThat(result.exit()).as(result.err() + "\n" + yaml).isZero();
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a command left behind. */
    record Result(int exit, String out, String err) {}

    Result parley(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = Parley.run(
                Map.of("PARLEY_DATA", data.toString()),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
        return new Result(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /**
     * What a client sends.
     *
     * @param dialled the name that is looked up, and sent before the first byte of TLS; all names lead to this machine
     */
    record Request(
            String scheme,
            String dialled,
            int port,
            HttpMethod method,
            String host,
            String path,
            Map<String, String> headers) {
        static Request get(int port, String host, String path) {
            return new Request("h1c", host, port, HttpMethod.GET, host, path, Map.of());
        }

        Request from(String name) {
            return new Request(scheme, name, port, method, host, path, headers);
        }

        Request to(String name) {
            return new Request(scheme, dialled, port, method, name, path, headers);
        }

        Request with(String name, String value) {
            Map<String, String> more = new HashMap<>(headers);
            more.put(name, value);
            return new Request(scheme, dialled, port, method, host, path, more);
        }

        Request by(HttpMethod other) {
            return new Request(scheme, dialled, port, other, host, path, headers);
        }

        Request in(String otherScheme) {
            return new Request(otherScheme, dialled, port, method, host, path, headers);
        }
    }

    AggregatedHttpResponse send(Request request) {
        RequestHeadersBuilder headers =
                RequestHeaders.builder(request.method(), request.path()).authority(request.host());
        request.headers().forEach(headers::add);
        return WebClient.builder(request.scheme() + "://" + request.dialled() + ":" + request.port())
                .factory(clients)
                .build()
                .execute(headers.build())
                .aggregate()
                .join();
    }

    /** As the suite does: until it is so three times in a row. */
    void expect(Request request, Consumer<AggregatedHttpResponse> as) {
        await(request.toString()).untilAsserted(() -> {
            for (int at = 0; at < IN_A_ROW; at++) {
                as.accept(send(request));
            }
        });
    }

    void expectBackend(Request request, String pod) {
        expect(request, answer -> assertThat(echo(answer).path("pod").asText()).isEqualTo(pod));
    }

    void expectStatus(Request request, int status) {
        expect(request, answer -> assertThat(answer.status().code()).isEqualTo(status));
    }

    static JsonNode echo(AggregatedHttpResponse answer) {
        assertThat(answer.status().code()).as(answer.contentUtf8()).isEqualTo(200);
        try {
            return JSON.readTree(answer.contentUtf8());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The conditions of the first parent of a route, as {@code Accepted=True/Accepted}. */
    List<String> conditions(String kind, String namespace, String name) {
        JsonNode resource;
        try {
            resource = JSON.readTree(
                    parley("get", kind, name, "-n", namespace, "-o", "json").out());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> found = new ArrayList<>();
        for (JsonNode each : resource.at("/status/parents/0/conditions")) {
            assertThat(each.path("observedGeneration").asLong())
                    .isEqualTo(resource.at("/metadata/generation").asLong());
            found.add(each.path("type").asText() + "=" + each.path("status").asText() + "/"
                    + each.path("reason").asText());
        }
        return found;
    }

    org.awaitility.core.ConditionFactory await(String what) {
        return org.awaitility.Awaitility.await(what)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions();
    }

    @Override
    public void close() {
        proxies.forEach(ProxyProgram::close);
        controlPlane.close();
        backends.values().forEach(EchoBackend::close);
        clients.close();
    }
}
