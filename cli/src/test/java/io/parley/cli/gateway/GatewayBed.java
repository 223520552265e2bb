package io.parley.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.parley.cli.TestControlPlane;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Origin;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.join.ControlPlaneLink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The proxies of Gateways and their backends in this process, used as people use them: by manifests and requests. Gateways and routes are
 * in a namespace of its own, so that tests that share a control plane are in nobody's way.
 */
final class GatewayBed implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CLASS = """
        apiVersion: gateway.networking.k8s.io/v1
        kind: GatewayClass
        metadata: {name: parley}
        spec: {controllerName: parley.io/gateway-controller}
        """;

    private final TestControlPlane controlPlane;
    private final String namespace;
    private final HttpCalls http = new HttpCalls();
    private final Map<String, EchoBackend> backends = new HashMap<>();
    private final Map<String, ProxyProgram> proxies = new HashMap<>();
    private final ByteArrayOutputStream accessLog = new ByteArrayOutputStream();

    GatewayBed(TestControlPlane controlPlane, String namespace) {
        this.controlPlane = controlPlane;
        this.namespace = namespace;
        apply(CLASS);
    }

    HttpCalls http() {
        return http;
    }

    // Backends

    /** A Service with one endpoint; ports as {@code 8080} or {@code 8081=kubernetes.io/h2c}, all of the same backend. */
    EchoBackend service(String name, String... ports) {
        return serviceIn(namespace, name, ports);
    }

    EchoBackend serviceIn(String space, String name, String... ports) {
        EchoBackend backend = backends.computeIfAbsent(space + "/" + name, _ -> new EchoBackend(name));
        declare(space, name, ports);
        slice(space, name, 1, backend.port(), ports);
        return backend;
    }

    /** A Service whose one endpoint is a port of this machine. */
    void endpoint(String name, int number, String... ports) {
        endpointIn(namespace, name, number, ports);
    }

    void endpointIn(String space, String name, int number, String... ports) {
        declare(space, name, ports);
        slice(space, name, 1, number, ports);
    }

    /** Another endpoint of a Service. */
    void slice(String name, int index, int number, String... ports) {
        slice(namespace, name, index, number, ports);
    }

    private void declare(String space, String name, String[] ports) {
        StringBuilder declared = new StringBuilder();
        for (String port : ports) {
            String[] parts = port.split("=", 2);
            declared.append(
                    "    - {%s%s}\n".formatted(port(parts[0]), parts.length > 1 ? ", appProtocol: " + parts[1] : ""));
        }
        apply("""
            apiVersion: v1
            kind: Service
            metadata: {name: %2$s, namespace: %1$s}
            spec:
              ports:
            %3$s\
            """.formatted(space, name, declared));
    }

    private void slice(String space, String name, int index, int number, String[] ports) {
        StringBuilder served = new StringBuilder();
        for (String port : ports) {
            String named = port(port.split("=", 2)[0]).replaceFirst("port: [0-9]+", "port: " + number);
            served.append("  - {").append(named).append("}\n");
        }
        apply("""
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: %2$s-%3$d, namespace: %1$s, labels: {kubernetes.io/service-name: %2$s}}
            addressType: IPv4
            endpoints: [{addresses: [127.0.0.1]}]
            ports:
            %4$s\
            """.formatted(space, name, index, served));
    }

    /** {@code 53} is a port of TCP, {@code 53/UDP} one of UDP. */
    private static String port(String text) {
        String[] parts = text.split("/", 2);
        return parts.length == 1
                ? "name: p%1$s, port: %1$s".formatted(text)
                : "name: %2$s%1$s, port: %1$s, protocol: %3$s"
                        .formatted(parts[0], parts[1].toLowerCase(Locale.ROOT), parts[1]);
    }

    // Gateways and routes

    /** Applies a Gateway, starts its proxy, and waits until its status says that it is served. */
    void gateway(String name, String listeners) {
        gateway(name, listeners, "");
    }

    /** Applies a Gateway whose spec says more than where it listens. */
    void gateway(String name, String listeners, String more) {
        apply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: Gateway
            metadata: {name: %s, namespace: %s}
            spec:
              gatewayClassName: parley
              addresses: [{value: 127.0.0.1}]
              listeners:
            %s%s\
            """.formatted(name, namespace, listeners.indent(4), more.indent(2)));
        proxies.computeIfAbsent(name, this::join);
        Patience.until(
                name,
                () -> assertThat(
                                parley("get", "gateways", name, "-n", namespace).out())
                        .contains("True"));
    }

    private ProxyProgram join(String name) {
        Path token = controlPlane.data().resolve(namespace + "." + name + ".token");
        try {
            Files.writeString(
                    token,
                    parley("token", "gateway", "--name", name, "-n", namespace)
                            .out()
                            .strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var settings = new ControlPlaneLink.Settings(
                URI.create("https://127.0.0.1:" + controlPlane.port()),
                token,
                controlPlane.caFile(),
                "default",
                name + "." + namespace,
                "0.0.0",
                namespace + "/" + name);
        var overrides = new Overrides(null, null, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
        return ProxyProgram.start(
                new ProxyProgram.Options(new Origin.ControlPlane(settings), overrides, 1),
                Surroundings.real(),
                new PrintStream(accessLog, true, StandardCharsets.UTF_8));
    }

    /** Applies a route; the rest of its spec is given. */
    void route(String kind, String name, String parent, String spec) {
        apply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: %s
            metadata: {name: %s, namespace: %s}
            spec:
              parentRefs: [%s]
            %s\
            """.formatted(kind, name, namespace, parent, spec.indent(2)));
    }

    /** A route to one backend. */
    void route(String kind, String name, String parent, String service, int port) {
        route(
                kind,
                name,
                "{name: " + parent + "}",
                "rules: [{backendRefs: [{name: %s, port: %d}]}]".formatted(service, port));
    }

    // Commands

    void apply(String yaml) {
        controlPlane.apply(yaml);
    }

    TestControlPlane.Result parley(String... args) {
        return controlPlane.parley(args);
    }

    TestControlPlane.Result tryToApply(String yaml) {
        return controlPlane.tryToApply(yaml);
    }

    void delete(String kind, String name) {
        delete(kind, namespace, name);
    }

    void delete(String kind, String space, String name) {
        assertThat(parley("delete", kind, name, "-n", space).exit()).isZero();
    }

    // What is said

    /** The conditions of the first parent of a route, as {@code Accepted=True/Accepted}; each must be about what is declared now. */
    List<String> conditions(String kind, String name) {
        return conditions(kind, namespace, name);
    }

    List<String> conditions(String kind, String space, String name) {
        return conditions(object(kind, space, name), "/status/parents/0/conditions");
    }

    /** The conditions at a place of an object. */
    List<String> conditionsAt(String kind, String name, String place) {
        return conditions(object(kind, namespace, name), place);
    }

    private static List<String> conditions(JsonNode resource, String place) {
        List<String> found = new ArrayList<>();
        for (JsonNode each : resource.at(place)) {
            assertThat(each.path("observedGeneration").asLong())
                    .isEqualTo(resource.at("/metadata/generation").asLong());
            found.add(each.path("type").asText() + "=" + each.path("status").asText() + "/"
                    + each.path("reason").asText());
        }
        return found;
    }

    void expectConditions(String kind, String name, String... expected) {
        Patience.until(
                kind + " " + name, () -> assertThat(conditions(kind, name)).containsExactly(expected));
    }

    JsonNode object(String kind, String space, String name) {
        try {
            return JSON.readTree(
                    parley("get", kind, name, "-n", space, "-o", "json").out());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String accessLog() {
        return accessLog.toString(StandardCharsets.UTF_8);
    }

    /** The metrics of a Gateway's proxy. */
    String metrics(String gateway) {
        ProxyProgram proxy = Objects.requireNonNull(proxies.get(gateway), gateway);
        int admin = proxy.adminAddress().getPort();
        return http.send(Request.get(admin, "127.0.0.1", "/metrics")).contentUtf8();
    }

    @Override
    public void close() {
        proxies.values().forEach(ProxyProgram::close);
        backends.values().forEach(EchoBackend::close);
        http.close();
    }
}
