package io.parley.control.serve;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.link.config.World;
import io.parley.wire.wrpc.proto.GranularHashes;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;

/**
 * A snapshot as the one JSON document that {@code config} v1 carries: type to its resources, each by name and version with the message in
 * Base64. Secrets stay out: the document goes into files and logs of nodes that take it.
 */
final class WorldDocument {
    private WorldDocument() {}

    static World of(Snapshot snapshot) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("_format_version", "3.0");
        for (ResourceType type : ResourceType.values()) {
            if (type != ResourceType.SECRET) {
                write(document.putArray(type.url(ApiVersion.V3)), snapshot.resources(type));
            }
        }
        byte[] json = document.toString().getBytes(StandardCharsets.UTF_8);
        return World.pack(json, hash(json), GranularHashes.getDefaultInstance());
    }

    private static void write(ArrayNode array, ResourceSet resources) {
        resources.resources().stream()
                .sorted(Comparator.comparing(EncodedResource::name))
                .forEach(resource -> array.addObject()
                        .put("name", resource.name())
                        .put("version", resource.version())
                        .put(
                                "resource",
                                Base64.getEncoder()
                                        .encodeToString(
                                                resource.toAny().getValue().toByteArray())));
    }

    /** The protocol has room for 32 hexadecimal characters. */
    private static String hash(byte[] json) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(json);
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
