package io.parley.resource.manifest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.Document;
import io.parley.resource.Form;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import io.parley.resource.kind.NameRule;
import io.parley.resource.kind.Scope;
import io.parley.resource.kind.Shape;
import io.parley.resource.read.Fields;
import io.parley.resource.read.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@code apiVersion}, {@code kind}, {@code metadata} and what follows. */
final class KubernetesForm {
    /** What the cluster writes into metadata. It says nothing about what is wanted, so it is read over. */
    private static final String[] OF_THE_CLUSTER = {
        "creationTimestamp",
        "deletionGracePeriodSeconds",
        "deletionTimestamp",
        "finalizers",
        "generateName",
        "generation",
        "managedFields",
        "ownerReferences",
        "resourceVersion",
        "selfLink",
        "uid"
    };

    private record Metadata(
            String name, @Nullable String namespace, Map<String, String> labels, Map<String, String> annotations) {}

    private final StatusField statusField;

    KubernetesForm(StatusField statusField) {
        this.statusField = statusField;
    }

    Optional<Resource> read(Fields manifest) {
        String apiVersion = manifest.at("apiVersion").requireText();
        String name = manifest.at("kind").requireText();
        Optional<Kind> kind = Kinds.findByApiVersion(apiVersion, name);
        if (kind.isEmpty()) {
            var _ = manifest.rest();
            manifest.fail("kind", apiVersion + " " + name + " (expected: " + KindHint.of(name) + ")");
            return Optional.empty();
        }
        return Optional.of(read(kind.get(), apiVersion, manifest));
    }

    private Resource read(Kind kind, String apiVersion, Fields manifest) {
        Metadata metadata = manifest.at("metadata").requireObject(fields -> metadata(kind, fields));
        Map<String, String> labels = new LinkedHashMap<>(metadata.labels());
        Map<String, String> annotations = new LinkedHashMap<>(metadata.annotations());
        if (!apiVersion.equals(kind.apiVersion())) {
            annotations.put(WellKnown.API_VERSION_ANNOTATION, apiVersion);
        }
        ResourceKey key = key(kind, metadata, manifest, labels);
        ObjectNode status = manifest.at("status").tree();
        ObjectNode spec = spec(kind, manifest);
        return new Resource(
                key,
                Form.KUBERNETES,
                labels,
                annotations,
                Document.of(spec),
                status == null || statusField == StatusField.DROP ? null : Document.of(status));
    }

    private static Metadata metadata(Kind kind, Fields fields) {
        String name = fields.at("name").requireText(kind.names().toString(), kind.names()::accepts);
        String namespace = fields.at("namespace").text(NameRule.NAMESPACE.toString(), NameRule.NAMESPACE::accepts);
        Map<String, String> labels = fields.at("labels").texts();
        Map<String, String> annotations = fields.at("annotations").texts();
        Labels.checkLabels(labels, fields.path().field("labels"), fields.faults());
        Labels.checkAnnotations(annotations, fields.path().field("annotations"), fields.faults());
        if (annotations.containsKey(WellKnown.API_VERSION_ANNOTATION)) {
            fields.fail(
                    "annotations",
                    "the key " + WellKnown.API_VERSION_ANNOTATION + " (expected: other keys; it is ours)");
        }
        if (namespace != null && kind.scope() == Scope.GLOBAL && kind.names() != NameRule.SUBDOMAIN) {
            fields.fail("namespace", namespace + " (expected: none, as a " + kind + " belongs to no namespace)");
        }
        fields.ignore(OF_THE_CLUSTER);
        return new Metadata(name.isEmpty() ? "-" : name, namespace, labels, annotations);
    }

    private static ResourceKey key(Kind kind, Metadata metadata, Fields manifest, Map<String, String> labels) {
        String namespace = metadata.namespace();
        if (kind.scope() == Scope.NAMESPACE) {
            return new ResourceKey(
                    kind.id(), namespace == null ? WellKnown.DEFAULT_NAMESPACE : namespace, metadata.name());
        }
        if (!kind.isOfMesh()) {
            return new ResourceKey(kind.id(), "", metadata.name());
        }
        String name = metadata.name();
        if (namespace != null) {
            labels.put(WellKnown.NAMESPACE_LABEL, namespace);
            name = QualifiedName.of(name, namespace);
        }
        if (name.length() > NameRule.SUBDOMAIN.longest()) {
            manifest.fail("metadata", name.length() + " characters of name and namespace (expected: at most 253)");
        }
        return new ResourceKey(kind.id(), mesh(kind, metadata, manifest), name);
    }

    /** Policies say their mesh with a label, older kinds with a field beside {@code metadata}. */
    private static String mesh(Kind kind, Metadata metadata, Fields manifest) {
        String field = manifest.at("mesh").text(NameRule.MESH.toString(), NameRule.MESH::accepts);
        if (kind.scope() == Scope.GLOBAL) {
            return "";
        }
        String label = metadata.labels().get(WellKnown.MESH_LABEL);
        if (label != null && !NameRule.MESH.accepts(label)) {
            manifest.fail(
                    "metadata",
                    "the label " + WellKnown.MESH_LABEL + " is " + label + " (expected: " + NameRule.MESH + ")");
        }
        if (label != null && field != null && !label.equals(field)) {
            manifest.fail("mesh", field + " (expected: " + label + ", as the label " + WellKnown.MESH_LABEL + " says)");
        }
        return label != null ? label : field != null ? field : WellKnown.DEFAULT_MESH;
    }

    private static ObjectNode spec(Kind kind, Fields manifest) {
        ObjectNode given = kind.shape() == Shape.BARE
                ? manifest.rest()
                : manifest.at("spec").tree();
        ObjectNode spec = given == null ? JsonNodeFactory.instance.objectNode() : given;
        Path at = kind.shape() == Shape.BARE ? manifest.path() : manifest.path().field("spec");
        kind.reader().ifPresent(reader -> reader.check(spec, at, manifest.faults()));
        return spec;
    }
}
