package io.parley.cli.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

/** What the demo's control plane is told. */
final class DemoManifests {
    private static final List<String> SERVICES = List.of("web", "greeter", "chat", "mail");

    private static final String POLICIES = """
        type: Mesh
        name: default
        mtls: {enabledBackend: ca, backends: [{name: ca, type: builtin}]}
        ---
        type: MeshTrafficPermission
        mesh: default
        name: visitor-may
        spec:
          targetRef: {kind: Mesh}
          from: [{targetRef: {kind: MeshService, name: visitor}, default: {action: Allow}}]
        ---
        type: MeshTimeout
        mesh: default
        name: calm
        spec:
          targetRef: {kind: Mesh}
          to: [{targetRef: {kind: Mesh}, default: {idleTimeout: 20s}}]
        """;

    private DemoManifests() {}

    /** Services are offered at {@code firstPort} and after, the gateway after the last of them. */
    static String of(Applications applications, int firstPort) throws IOException {
        StringBuilder text = new StringBuilder(POLICIES);
        text.append(dataplane("web", applications.webPort(), ", kuma.io/protocol: http"));
        text.append(dataplane("greeter", applications.greeterPort(), ", kuma.io/protocol: grpc"));
        text.append(dataplane("chat", applications.webPort(), ", kuma.io/protocol: http"));
        text.append(dataplane("mail", applications.mailPort(), ""));
        text.append(dataplane("visitor", freePort(), ""));
        text.append("  outbound:\n");
        for (int i = 0; i < SERVICES.size(); i++) {
            text.append("    - {port: %d, tags: {kuma.io/service: %s}}\n".formatted(firstPort + i, SERVICES.get(i)));
        }
        text.append(gateway(firstPort + SERVICES.size()));
        text.append(backend("web", applications.webPort(), ""));
        text.append(backend("greeter", applications.greeterPort(), ", appProtocol: kubernetes.io/h2c"));
        return text.toString();
    }

    private static String dataplane(String name, int application, String tags) throws IOException {
        return """
            ---
            type: Dataplane
            mesh: default
            name: %1$s
            networking:
              address: 127.0.0.1
              inbound:
                - {port: %2$d, servicePort: %3$d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: %1$s%4$s}}
            """.formatted(name, freePort(), application, tags);
    }

    private static String gateway(int port) {
        return """
            ---
            apiVersion: gateway.networking.k8s.io/v1
            kind: GatewayClass
            metadata: {name: parley}
            spec: {controllerName: parley.io/gateway-controller}
            ---
            apiVersion: gateway.networking.k8s.io/v1
            kind: Gateway
            metadata: {name: edge, namespace: demo}
            spec:
              gatewayClassName: parley
              addresses: [{value: 127.0.0.1}]
              listeners:
                - {name: web, port: %1$d, protocol: HTTP}
                - {name: calls, port: %1$d, protocol: HTTP, hostname: greeter.demo, allowedRoutes: {kinds: [{kind: GRPCRoute}]}}
            ---
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: web, namespace: demo}
            spec:
              parentRefs: [{name: edge, sectionName: web}]
              rules: [{backendRefs: [{name: web, port: 80}]}]
            ---
            apiVersion: gateway.networking.k8s.io/v1
            kind: GRPCRoute
            metadata: {name: greeter, namespace: demo}
            spec:
              parentRefs: [{name: edge, sectionName: calls}]
              hostnames: [greeter.demo]
              rules: [{backendRefs: [{name: greeter, port: 80}]}]
            """.formatted(port);
    }

    private static String backend(String name, int application, String appProtocol) {
        return """
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: %1$s, namespace: demo}
            spec: {ports: [{port: 80%3$s}]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: %1$s-1, namespace: demo, labels: {kubernetes.io/service-name: %1$s}}
            addressType: IPv4
            endpoints: [{addresses: [127.0.0.1]}]
            ports: [{port: %2$d}]
            """.formatted(name, application, appProtocol);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
