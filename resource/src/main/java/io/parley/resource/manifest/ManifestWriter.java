package io.parley.resource.manifest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.Document;
import io.parley.resource.Form;
import io.parley.resource.Resource;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import io.parley.resource.kind.Scope;
import io.parley.resource.kind.Shape;
import io.parley.resource.text.YamlWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Resources to manifests, each in the form in which it was given, who it is first and what it says last. Documents are copied
 * as text and never parsed, so that long lists are cheap.
 */
public final class ManifestWriter {
    private static final JsonFactory JSON = new JsonFactory();

    private ManifestWriter() {}

    public static String json(Resource resource, ServerFields server) {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            write(resource, server, json);
        } catch (IOException e) {
            throw new IllegalStateException("memory could not be written to", e);
        }
        return out.toString();
    }

    public static ObjectNode tree(Resource resource, ServerFields server) {
        return new Document(json(resource, server)).tree();
    }

    public static String yaml(Resource resource, ServerFields server) {
        return YamlWriter.write(tree(resource, server));
    }

    /** Writes one object, wherever the generator stands. */
    public static void write(Resource resource, ServerFields server, JsonGenerator json) throws IOException {
        Kind kind = Kinds.require(resource.key().kind());
        json.writeStartObject();
        if (resource.form() == Form.UNIVERSAL && kind.isOfMesh()) {
            writeUniversal(kind, resource, server, json);
        } else {
            writeKubernetes(kind, resource, server, json);
        }
        Document status = resource.status();
        if (status != null) {
            json.writeFieldName("status");
            json.writeRawValue(status.json());
        }
        json.writeEndObject();
    }

    private static void writeUniversal(Kind kind, Resource resource, ServerFields server, JsonGenerator json)
            throws IOException {
        json.writeStringField("type", kind.name());
        switch (kind.scope()) {
            case GLOBAL -> {}
            case MESH -> json.writeStringField("mesh", resource.key().space());
            case NAMESPACE -> json.writeStringField("namespace", resource.key().space());
        }
        json.writeStringField("name", resource.key().name());
        writeText("version", server.version(), json);
        writeText("creationTime", server.created(), json);
        writeText("modificationTime", server.modified(), json);
        writeTexts("labels", resource.labels(), json);
        writeTexts("annotations", resource.annotations(), json);
        writeSpec(resource.spec(), kind.shape() == Shape.INLINE, json);
    }

    private static void writeKubernetes(Kind kind, Resource resource, ServerFields server, JsonGenerator json)
            throws IOException {
        Map<String, String> labels = new LinkedHashMap<>(resource.labels());
        Map<String, String> annotations = new LinkedHashMap<>(resource.annotations());
        String apiVersion = annotations.remove(WellKnown.API_VERSION_ANNOTATION);
        json.writeStringField("apiVersion", apiVersion == null ? kind.apiVersion() : apiVersion);
        json.writeStringField("kind", kind.name());
        if (kind.scope() == Scope.MESH && namesItsMesh(kind, resource)) {
            json.writeStringField("mesh", resource.key().space());
        }
        boolean ofMesh = kind.isOfMesh() && kind.scope() != Scope.NAMESPACE;
        String namespace = ofMesh
                ? labels.remove(WellKnown.NAMESPACE_LABEL)
                : resource.key().space();
        String name = resource.key().name();
        json.writeObjectFieldStart("metadata");
        json.writeStringField("name", ofMesh && namespace != null ? QualifiedName.plain(name, namespace) : name);
        writeText("namespace", namespace == null || namespace.isEmpty() ? null : namespace, json);
        writeText("resourceVersion", server.version(), json);
        if (server.generation() != null) {
            json.writeNumberField("generation", server.generation());
        }
        writeText("creationTimestamp", server.created(), json);
        writeTexts("labels", labels, json);
        writeTexts("annotations", annotations, json);
        json.writeEndObject();
        writeSpec(resource.spec(), kind.shape() == Shape.BARE, json);
    }

    /** Policies have a label for it, and none for the default mesh; older kinds have a field, as Kuma writes them. */
    private static boolean namesItsMesh(Kind kind, Resource resource) {
        boolean isDefault = resource.key().space().equals(WellKnown.DEFAULT_MESH);
        return !resource.labels().containsKey(WellKnown.MESH_LABEL) && (kind.shape() == Shape.INLINE || !isDefault);
    }

    private static void writeSpec(Document spec, boolean inline, JsonGenerator json) throws IOException {
        String fields = spec.json().substring(1, spec.json().length() - 1);
        if (fields.isEmpty()) {
            return;
        }
        if (inline) {
            json.writeRaw(',');
            json.writeRaw(fields);
        } else {
            json.writeFieldName("spec");
            json.writeRawValue(spec.json());
        }
    }

    private static void writeText(String name, @Nullable Object value, JsonGenerator json) throws IOException {
        if (value != null) {
            json.writeStringField(name, value.toString());
        }
    }

    private static void writeTexts(String name, Map<String, String> texts, JsonGenerator json) throws IOException {
        if (!texts.isEmpty()) {
            json.writeObjectFieldStart(name);
            for (Map.Entry<String, String> text : texts.entrySet()) {
                json.writeStringField(text.getKey(), text.getValue());
            }
            json.writeEndObject();
        }
    }
}
