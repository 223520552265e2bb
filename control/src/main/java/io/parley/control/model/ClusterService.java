package io.parley.control.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.resource.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the mesh reads of a Service of Kubernetes.
 *
 * @param addresses its cluster addresses; none if it is headless
 */
public record ClusterService(
        String namespace,
        String name,
        String mesh,
        List<String> addresses,
        List<Port> ports,
        Map<String, String> selector,
        Map<String, String> annotations) {
    /**
     * One port.
     *
     * @param target number or name of the containers' port
     */
    public record Port(
            @Nullable String name,
            int number,
            String target,
            @Nullable String appProtocol) {}

    static ClusterService read(Resource resource) {
        JsonNode spec = resource.spec().tree();
        List<String> addresses = new ArrayList<>();
        spec.path("clusterIPs").forEach(address -> addresses.add(address.asText()));
        if (addresses.isEmpty() && spec.path("clusterIP").isTextual()) {
            addresses.add(spec.path("clusterIP").asText());
        }
        addresses.removeIf(address -> address.isEmpty() || address.equals("None"));
        List<Port> ports = new ArrayList<>();
        spec.path("ports").forEach(port -> {
            if (port.path("protocol").asText("TCP").equals("TCP")) {
                ports.add(port(port));
            }
        });
        Map<String, String> selector = new LinkedHashMap<>();
        spec.path("selector")
                .properties()
                .forEach(label -> selector.put(label.getKey(), label.getValue().asText()));
        String mesh = resource.labels().get(Names.MESH);
        return new ClusterService(
                resource.key().space(),
                resource.key().name(),
                mesh == null ? resource.annotations().getOrDefault(Names.MESH, Names.DEFAULT_MESH) : mesh,
                List.copyOf(addresses),
                List.copyOf(ports),
                Map.copyOf(selector),
                resource.annotations());
    }

    private static Port port(JsonNode port) {
        int number = port.path("port").asInt();
        JsonNode target = port.path("targetPort");
        return new Port(
                port.path("name").isTextual() ? port.path("name").asText() : null,
                number,
                target.isMissingNode() || target.asText().equals("0") ? Integer.toString(number) : target.asText(),
                port.path("appProtocol").isTextual() ? port.path("appProtocol").asText() : null);
    }

    /** The name that the mesh gives to one of its ports, as Kuma does. */
    public String serviceName(Port port) {
        return name + "_" + namespace + "_svc_" + port.number();
    }

    Optional<Decision<Protocol>> appProtocol(Port port) {
        String declared = port.appProtocol();
        if (declared == null) {
            return Optional.empty();
        }
        Optional<Protocol> protocol = switch (declared.toLowerCase(Locale.ROOT)) {
            case "http", "kubernetes.io/ws" -> Optional.of(Protocol.HTTP1);
            case "http2", "h2c", "kubernetes.io/h2c" -> Optional.of(Protocol.HTTP2);
            case "grpc" -> Optional.of(Protocol.GRPC);
            case "https", "tls", "kubernetes.io/wss" -> Optional.of(Protocol.TLS);
            case "tcp", "linkerd.io/opaque", "linkerd.io/tcp" -> Optional.of(Protocol.OPAQUE);
            default -> Optional.empty();
        };
        String resource = "service/" + namespace + "/" + name;
        return protocol.map(value -> new Decision<>(
                value,
                "appProtocol of port " + port.number() + " of " + resource + " is " + declared,
                new Source(resource, "spec.ports[].appProtocol", "appProtocol")));
    }
}
