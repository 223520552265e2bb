package io.parley.control.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.resource.Resource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the mesh reads of an EndpointSlice.
 *
 * @param service the Service it belongs to; empty if it belongs to none
 */
record Slice(String namespace, String name, String service, List<Member> members, List<NamedPort> ports) {
    /** An address. */
    record Member(String address, boolean ready, @Nullable String pod) {}

    /** A port, by the name that the Service gives it; empty for the only one. */
    record NamedPort(String name, int number) {}

    static Slice read(Resource resource) {
        JsonNode document = resource.spec().tree();
        List<Member> members = new ArrayList<>();
        document.path("endpoints").forEach(endpoint -> {
            JsonNode target = endpoint.path("targetRef");
            String pod = target.path("kind").asText().equals("Pod")
                    ? target.path("name").asText()
                    : null;
            boolean ready = endpoint.path("conditions").path("ready").asBoolean(true);
            endpoint.path("addresses").forEach(address -> members.add(new Member(address.asText(), ready, pod)));
        });
        List<NamedPort> ports = new ArrayList<>();
        document.path("ports")
                .forEach(port -> ports.add(new NamedPort(
                        port.path("name").asText(""), port.path("port").asInt())));
        return new Slice(
                resource.key().space(),
                resource.key().name(),
                resource.labels().getOrDefault("kubernetes.io/service-name", ""),
                List.copyOf(members),
                List.copyOf(ports));
    }

    @Nullable
    Integer number(ClusterService.Port port) {
        String wanted = port.name() == null ? "" : port.name();
        return ports.stream()
                .filter(each -> each.name().equals(wanted))
                .map(NamedPort::number)
                .findFirst()
                .orElse(null);
    }
}
