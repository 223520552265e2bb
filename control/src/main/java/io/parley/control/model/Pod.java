package io.parley.control.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.parley.agreement.port.PortList;
import io.parley.agreement.port.PortRange;
import io.parley.agreement.port.PortSet;
import io.parley.resource.Resource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What the mesh reads of a Pod.
 *
 * @param address empty until it has one
 * @param named the numbers of its containers' ports, by name
 * @param meshed whether a proxy stands before it
 * @param meshPort where that proxy takes connections with a header
 */
record Pod(
        String namespace,
        String name,
        String address,
        Map<String, String> labels,
        Map<String, String> annotations,
        Map<String, PortSet> named,
        boolean ready,
        boolean meshed,
        int meshPort) {
    private static final int MESH_PORT = 4143;
    private static final String LISTEN = "LINKERD2_PROXY_INBOUND_LISTEN_ADDR";

    static Pod read(Resource resource) {
        JsonNode document = resource.spec().tree();
        JsonNode status = resource.status() == null
                ? MissingNode.getInstance()
                : resource.status().tree();
        Map<String, PortSet> named = new LinkedHashMap<>();
        containers(document)
                .forEach(container -> container.path("ports").forEach(port -> {
                    int number = port.path("containerPort").asInt();
                    if (port.has("name") && number >= PortRange.LOWEST && number <= PortRange.HIGHEST) {
                        named.merge(port.path("name").asText(), PortSet.of(PortRange.of(number)), PortSet::or);
                    }
                }));
        Map<String, String> labels = resource.labels();
        Map<String, String> annotations = resource.annotations();
        return new Pod(
                resource.key().space(),
                resource.key().name(),
                status.path("podIP").asText(),
                labels,
                annotations,
                named,
                isReady(status),
                labels.containsKey("linkerd.io/control-plane-ns")
                        || "true".equals(annotations.get("kuma.io/sidecar-injected")),
                listening(document));
    }

    /** Ports that are not intercepted at all. */
    boolean skips(int port) {
        String skipped = annotations.get("config.linkerd.io/skip-inbound-ports");
        return skipped != null && PortList.parse(skipped).ports().contains(port);
    }

    boolean matches(Map<String, String> selector) {
        return !selector.isEmpty() && labels.entrySet().containsAll(selector.entrySet());
    }

    private static boolean isReady(JsonNode status) {
        return StreamSupport.stream(status.path("conditions").spliterator(), false)
                .anyMatch(condition -> condition.path("type").asText().equals("Ready")
                        && condition.path("status").asText().equals("True"));
    }

    private static int listening(JsonNode spec) {
        return containers(spec)
                .flatMap(container -> StreamSupport.stream(container.path("env").spliterator(), false))
                .filter(variable -> variable.path("name").asText().equals(LISTEN))
                .map(variable -> variable.path("value").asText().replaceAll(".*:", ""))
                .filter(port -> port.matches("[1-9][0-9]{0,4}"))
                .map(Integer::parseInt)
                .findFirst()
                .orElse(MESH_PORT);
    }

    private static Stream<JsonNode> containers(JsonNode spec) {
        return Stream.of("containers", "initContainers")
                .flatMap(list -> StreamSupport.stream(spec.path(list).spliterator(), false));
    }
}
