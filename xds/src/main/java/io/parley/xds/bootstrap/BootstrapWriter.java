package io.parley.xds.bootstrap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a bootstrap that every known client can read. Some are less patient than ours: grpc-go and grpc-java up to 1.52 fail on
 * a server feature that is not a string, grpc-js wants a node with an id and a locality, all want channel credentials. So these
 * are always there, and features are strings only.
 */
public final class BootstrapWriter {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private BootstrapWriter() {}

    /** The text of the file. The node must have an id. */
    public static String write(Bootstrap bootstrap) {
        if (bootstrap.node().getId().isEmpty()) {
            throw new IllegalArgumentException("node.id: empty (expected: an id, grpc-js refuses a node without one)");
        }
        ObjectNode root = MAPPER.createObjectNode();
        servers(root.putArray("xds_servers"), bootstrap.servers());
        node(root.putObject("node"), bootstrap.node());
        if (!bootstrap.certificateProviders().isEmpty()) {
            ObjectNode providers = root.putObject("certificate_providers");
            bootstrap.certificateProviders().forEach((name, provider) -> provider(providers.putObject(name), provider));
        }
        putText(root, "server_listener_resource_name_template", bootstrap.serverListenerTemplate());
        if (!bootstrap.clientListenerTemplate().equals(Bootstrap.DEFAULT_CLIENT_LISTENER_TEMPLATE)) {
            root.put("client_default_listener_resource_name_template", bootstrap.clientListenerTemplate());
        }
        if (!bootstrap.authorities().isEmpty()) {
            ObjectNode authorities = root.putObject("authorities");
            bootstrap.authorities().forEach((name, authority) -> authority(authorities.putObject(name), authority));
        }
        if (!bootstrap.allowedGrpcServices().isEmpty()) {
            ObjectNode services = root.putObject("allowed_grpc_services");
            bootstrap
                    .allowedGrpcServices()
                    .forEach((target, access) -> credentials(
                            services.putObject(target), access.channelCredentials(), access.callCredentials()));
        }
        return text(root);
    }

    private static void servers(ArrayNode list, List<XdsServer> servers) {
        for (XdsServer server : servers) {
            ObjectNode entry = list.addObject();
            entry.put("server_uri", server.uri());
            credentials(entry, server.channelCredentials(), server.callCredentials());
            ArrayNode features = entry.putArray("server_features");
            server.features().forEach(features::add);
        }
    }

    private static void node(ObjectNode json, Node node) {
        json.put("id", node.getId());
        if (!node.getCluster().isEmpty()) {
            json.put("cluster", node.getCluster());
        }
        Locality locality = node.getLocality();
        ObjectNode place = json.putObject("locality");
        putText(place, "region", locality.getRegion());
        putText(place, "zone", locality.getZone());
        putText(place, "sub_zone", locality.getSubZone());
        if (node.hasMetadata()) {
            json.set("metadata", StructJson.of(node.getMetadata()));
        }
    }

    private static void credentials(ObjectNode json, ChannelCredentials channel, List<CallCredentials> calls) {
        ObjectNode entry = json.putArray("channel_creds").addObject();
        switch (channel) {
            case ChannelCredentials.Insecure() -> entry.put("type", "insecure");
            case ChannelCredentials.Tls tls -> {
                entry.put("type", "tls");
                if (!tls.equals(ChannelCredentials.Tls.systemRoots())) {
                    files(entry.putObject("config"), tls.identity(), tls.caFile(), tls.refresh());
                }
            }
        }
        if (!calls.isEmpty()) {
            ArrayNode list = json.putArray("call_creds");
            for (CallCredentials call : calls) {
                switch (call) {
                    case CallCredentials.JwtTokenFile(var file) ->
                        list.addObject()
                                .put("type", "jwt_token_file")
                                .putObject("config")
                                .put("jwt_token_file", file.toString());
                }
            }
        }
    }

    private static void provider(ObjectNode json, CertificateProvider provider) {
        switch (provider) {
            case CertificateProvider.FileWatcher watcher -> {
                json.put("plugin_name", CertificateProvider.FileWatcher.PLUGIN);
                files(json.putObject("config"), watcher.identity(), watcher.caFile(), watcher.refresh());
            }
            case CertificateProvider.Unknown(String plugin, String config) -> {
                json.put("plugin_name", plugin);
                json.set("config", tree(config));
            }
        }
    }

    private static void files(
            ObjectNode json, ChannelCredentials.@Nullable KeyFiles identity, @Nullable Path caFile, Duration refresh) {
        if (identity != null) {
            json.put("certificate_file", identity.certificateFile().toString());
            json.put("private_key_file", identity.privateKeyFile().toString());
        }
        putText(json, "ca_certificate_file", caFile == null ? null : caFile.toString());
        json.put("refresh_interval", seconds(refresh));
    }

    private static void authority(ObjectNode json, Bootstrap.Authority authority) {
        json.put("client_listener_resource_name_template", authority.clientListenerTemplate());
        if (!authority.servers().isEmpty()) {
            servers(json.putArray("xds_servers"), authority.servers());
        }
    }

    private static String seconds(Duration duration) {
        BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9));
        return seconds.stripTrailingZeros().toPlainString() + "s";
    }

    private static void putText(ObjectNode json, String name, @Nullable String text) {
        if (text != null && !text.isEmpty()) {
            json.put(name, text);
        }
    }

    private static JsonNode tree(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("config: not JSON (expected: the plugin's settings)", e);
        }
    }

    private static String text(ObjectNode root) {
        try {
            return MAPPER.writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree in memory could not be written", e);
        }
    }
}
