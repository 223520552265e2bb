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
import java.util.regex.Pattern;
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
     * How it is spoken to in TLS.
     *
     * @param serverName null for the host
     * @param authorities of which one must have signed its certificate; null for the system's
     * @param certificate what it is shown if it asks; null if nothing
     * @param key of that certificate
     * @param skipHostnameVerification whether its certificate may be for any name
     */
    public record Tls(
            @Nullable String serverName,
            @Nullable DataSource authorities,
            @Nullable DataSource certificate,
            @Nullable DataSource key,
            boolean skipHostnameVerification) {}

    // What TLS can ask for (RFC 6066 3), and addresses, which certificates name too.
    private static final Pattern SERVER_NAME = Pattern.compile("[A-Za-z0-9_:]([A-Za-z0-9._:-]{0,252})");

    public String service() {
        return tags.getOrDefault(Names.SERVICE, name);
    }

    public boolean carries(Map<String, String> wanted) {
        return wanted.entrySet().stream()
                .allMatch(tag -> tag.getValue().equals("*")
                        ? tags.containsKey(tag.getKey())
                        : tag.getValue().equals(tags.get(tag.getKey())));
    }

    /** What is asked for in TLS; null if it is spoken to in clear text. */
    public @Nullable String serverName() {
        if (tls == null) {
            return null;
        }
        return tls.serverName() == null ? host : tls.serverName();
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
        Tls tls = tls(networking.path("tls"), violations);
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
                tls));
    }

    private static @Nullable Tls tls(JsonNode tls, List<Violation> violations) {
        if (!tls.path("enabled").asBoolean(false)) {
            return null;
        }
        JsonNode serverName = field(tls, "serverName", "server_name");
        if (serverName.isTextual() && !SERVER_NAME.matcher(serverName.asText()).matches()) {
            violations.add(
                    new Violation("networking.tls.serverName", serverName + " (expected: a host name or an address)"));
        }
        DataSource certificate = source(tls, "clientCert", "client_cert", violations);
        DataSource key = source(tls, "clientKey", "client_key", violations);
        if ((certificate == null) != (key == null)) {
            violations.add(new Violation("networking.tls", "one of clientCert and clientKey (expected: both or none)"));
        }
        return new Tls(
                serverName.isTextual() ? serverName.asText() : null,
                source(tls, "caCert", "ca_cert", violations),
                certificate,
                key,
                field(tls, "skipHostnameVerification", "skip_hostname_verification")
                        .asBoolean(false));
    }

    private static @Nullable DataSource source(JsonNode tls, String camel, String snake, List<Violation> violations) {
        return DataSource.read(field(tls, camel, snake), "networking.tls." + camel, violations);
    }

    private static JsonNode field(JsonNode node, String camel, String snake) {
        return node.has(camel) ? node.path(camel) : node.path(snake);
    }
}
