package io.parley.xds.bootstrap;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.parley.xds.bootstrap.Bootstrap.Authority;
import io.parley.xds.bootstrap.Bootstrap.GrpcServiceAccess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the text of a bootstrap. What it knows it checks, all of it in one pass; what it does not know it ignores, so that a
 * file written for newer clients works: unknown fields, unknown types of credentials, and list entries of any JSON type among
 * the server features.
 */
public final class BootstrapParser {
    public static final int MAX_BYTES = 1 << 20;

    private static final int MAX_DEPTH = 64;
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxStringLength(MAX_BYTES)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final List<BootstrapError> errors = new ArrayList<>();

    private BootstrapParser() {}

    /** Reads one JSON document. */
    public static BootstrapResult parse(byte[] json) {
        if (json.length > MAX_BYTES) {
            return rejected(new BootstrapError.TooLarge(MAX_BYTES));
        }
        JsonNode root;
        try {
            root = MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            return rejected(new BootstrapError.NotJson(reason(e)));
        } catch (IOException e) {
            // The bytes are in memory: what cannot be read is their encoding.
            return rejected(new BootstrapError.NotJson("not JSON, " + JsonField.shown(String.valueOf(e.getMessage()))));
        }
        if (!root.isObject()) {
            return rejected(new BootstrapError.NotJson("no JSON object"));
        }
        if (!isPortable(root)) {
            return rejected(new BootstrapError.NotJson("a string that is not Unicode, or a number that is no double"));
        }
        return new BootstrapParser().read(root);
    }

    private BootstrapResult read(JsonNode json) {
        JsonField root = new JsonField(json, "", errors);
        List<XdsServer> servers =
                servers(root.at("xds_servers").requireElements("a list with at least one xDS server"));
        var node = NodeReader.read(root.at("node"));
        Map<String, CertificateProvider> providers = new LinkedHashMap<>();
        root.at("certificate_providers").entries().forEach((name, entry) -> providers.put(name, provider(entry)));
        Map<String, Authority> authorities = new LinkedHashMap<>();
        root.at("authorities").entries().forEach((name, entry) -> authorities.put(name, authority(name, entry)));
        Map<String, GrpcServiceAccess> services = new LinkedHashMap<>();
        root.at("allowed_grpc_services").entries().forEach((target, entry) -> services.put(target, access(entry)));
        String serverTemplate =
                root.at("server_listener_resource_name_template").text().orElse(null);
        String clientTemplate = root.at("client_default_listener_resource_name_template")
                .text()
                .orElse(Bootstrap.DEFAULT_CLIENT_LISTENER_TEMPLATE);
        if (!errors.isEmpty()) {
            return new BootstrapResult.Rejected(errors);
        }
        return new BootstrapResult.Loaded(
                new Bootstrap(servers, node, providers, serverTemplate, clientTemplate, authorities, services));
    }

    private List<XdsServer> servers(List<JsonField> entries) {
        List<XdsServer> servers = new ArrayList<>();
        for (JsonField entry : entries) {
            int before = errors.size();
            String uri = entry.object().at("server_uri").requireText("a gRPC target such as host:port");
            ChannelCredentials channel = CredentialsReader.channel(entry.at("channel_creds"));
            List<CallCredentials> call = CredentialsReader.call(entry.at("call_creds"));
            Set<String> features = features(entry.at("server_features"));
            if (errors.size() == before) {
                servers.add(new XdsServer(uri, channel, call, features));
            }
        }
        return servers;
    }

    /** gRPC A30: an entry that is not understood is ignored, regardless of its type. */
    private static Set<String> features(JsonField list) {
        Set<String> features = new LinkedHashSet<>();
        for (JsonField entry : list.elements()) {
            if (entry.node().isTextual()) {
                features.add(entry.node().textValue());
            }
        }
        return features;
    }

    private static CertificateProvider provider(JsonField entry) {
        String plugin = entry.object().at("plugin_name").requireText("the name of a plugin");
        JsonField config = entry.at("config")
                .require("an object with the plugin's settings")
                .object();
        if (!plugin.equals(CertificateProvider.FileWatcher.PLUGIN)) {
            return new CertificateProvider.Unknown(plugin, config.node().toString());
        }
        var identity = CredentialsReader.keyFiles(config);
        var caFile = config.at("ca_certificate_file").file().orElse(null);
        if (identity == null && caFile == null && config.node().isObject()) {
            config.bad("certificate_file with private_key_file, or ca_certificate_file, or all", "neither");
        }
        var refresh = config.at("refresh_interval").duration(ChannelCredentials.Tls.DEFAULT_REFRESH);
        return new CertificateProvider.FileWatcher(identity, caFile, refresh);
    }

    private Authority authority(String name, JsonField entry) {
        String prefix = "xdstp://" + name + "/";
        JsonField template = entry.object().at("client_listener_resource_name_template");
        String text = template.text().orElse(prefix + "envoy.config.listener.v3.Listener/%s");
        if (!text.startsWith(prefix)) {
            template.bad("a text that starts with " + prefix, JsonField.shown(text));
        }
        return new Authority(text, servers(entry.at("xds_servers").elements()));
    }

    private static GrpcServiceAccess access(JsonField entry) {
        return new GrpcServiceAccess(
                CredentialsReader.channel(entry.object().at("channel_creds")),
                CredentialsReader.call(entry.at("call_creds")));
    }

    /** RFC 7493: half a surrogate pair or a number beyond double cannot be sent on, not even as protobuf. */
    private static boolean isPortable(JsonNode json) {
        if (json.isTextual()) {
            return isUnicode(json.textValue());
        }
        if (json.isNumber()) {
            return Double.isFinite(json.doubleValue());
        }
        for (var field : json.properties()) {
            if (!isUnicode(field.getKey())) {
                return false;
            }
        }
        for (JsonNode child : json) {
            if (!isPortable(child)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUnicode(String text) {
        return text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private static String reason(JsonProcessingException e) {
        JsonLocation at = e.getLocation();
        String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
        return "not JSON" + where + ", " + JsonField.shown(e.getOriginalMessage());
    }

    private static BootstrapResult rejected(BootstrapError error) {
        return new BootstrapResult.Rejected(List.of(error));
    }
}
