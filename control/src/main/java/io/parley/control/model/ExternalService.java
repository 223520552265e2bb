package io.parley.control.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.Resource;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import io.parley.resource.policy.Addresses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something outside the mesh.
 *
 * @param name of the resource
 * @param tls null if it is spoken to in clear text
 */
public record ExternalService(
        String mesh,
        String name,
        Map<String, String> tags,
        String host,
        int port,
        @Nullable Tls tls) {
    /**
     * How it is spoken to in TLS. Secrets are referred to by name, never held here.
     *
     * @param serverName null for the host
     * @param caSecret name of the mesh's Secret with the authority; null for the system's
     */
    public record Tls(@Nullable String serverName, @Nullable String caSecret, boolean skipHostnameVerification) {}

    public String service() {
        return tags.getOrDefault(Names.SERVICE, name);
    }

    static Result<ExternalService> read(Resource resource) {
        ObjectNode tree = resource.spec().tree();
        List<Violation> violations = new ArrayList<>();
        JsonNode networking = tree.path("networking");
        String address = networking.path("address").asText();
        if (!Addresses.isHostAndPort(address)) {
            violations.add(new Violation("networking.address", address + " (expected: host:port)"));
        }
        Map<String, String> tags = new LinkedHashMap<>();
        tree.path("tags")
                .properties()
                .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
        if (!tags.containsKey(Names.SERVICE)) {
            violations.add(new Violation("tags", Names.SERVICE + " is missing (expected: the name of the service)"));
        }
        if (!violations.isEmpty()) {
            return new Result.Rejected<>(violations);
        }
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
        return new Result.Accepted<>(new ExternalService(
                resource.key().space(),
                resource.key().name(),
                Map.copyOf(tags),
                host,
                Integer.parseInt(address.substring(colon + 1)),
                tls(networking.path("tls"))));
    }

    private static @Nullable Tls tls(JsonNode tls) {
        if (!tls.path("enabled").asBoolean(false)) {
            return null;
        }
        String serverName = text(tls, "serverName", "server_name");
        JsonNode ca = tls.has("caCert") ? tls.path("caCert") : tls.path("ca_cert");
        return new Tls(
                serverName,
                ca.path("secret").isTextual() ? ca.path("secret").asText() : null,
                tls.path("skipHostnameVerification").asBoolean(false));
    }

    private static @Nullable String text(JsonNode node, String camel, String snake) {
        JsonNode value = node.has(camel) ? node.path(camel) : node.path(snake);
        return value.isTextual() ? value.asText() : null;
    }
}
