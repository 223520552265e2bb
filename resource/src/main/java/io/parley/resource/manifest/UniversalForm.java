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
import io.parley.resource.kind.Shape;
import io.parley.resource.read.Fields;
import java.util.Map;
import java.util.Optional;

/** Reads {@code type}, {@code mesh}, {@code name} and what follows. */
final class UniversalForm {
    private final StatusField statusField;

    UniversalForm(StatusField statusField) {
        this.statusField = statusField;
    }

    Optional<Resource> read(Fields manifest) {
        String type = manifest.at("type").requireText();
        Optional<Kind> kind = Kinds.findByType(type);
        if (kind.isEmpty()) {
            var _ = manifest.rest();
            manifest.fail("type", type + " (expected: " + KindHint.of(type) + ")");
            return Optional.empty();
        }
        return Optional.of(read(kind.get(), manifest));
    }

    private Resource read(Kind kind, Fields manifest) {
        String space = space(kind, manifest);
        String name = manifest.at("name").requireText(kind.names().toString(), kind.names()::accepts);
        Map<String, String> labels = manifest.at("labels").texts();
        Map<String, String> annotations = manifest.at("annotations").texts();
        Labels.checkLabels(labels, manifest.path().field("labels"), manifest.faults());
        Labels.checkAnnotations(annotations, manifest.path().field("annotations"), manifest.faults());
        // What the server adds when it shows a resource: what was shown can be applied again.
        manifest.ignore("creationTime", "modificationTime", "version", "kri");
        ObjectNode status = manifest.at("status").tree();
        ObjectNode spec = spec(kind, manifest);
        return new Resource(
                new ResourceKey(kind.id(), space, name.isEmpty() ? "-" : name),
                Form.UNIVERSAL,
                labels,
                annotations,
                Document.of(spec),
                status == null || statusField == StatusField.DROP ? null : Document.of(status));
    }

    private static String space(Kind kind, Fields manifest) {
        return switch (kind.scope()) {
            case GLOBAL -> {
                manifest.refuse("mesh", "a " + kind + " belongs to no mesh");
                yield "";
            }
            case MESH -> {
                String mesh = manifest.at("mesh").text(NameRule.MESH.toString(), NameRule.MESH::accepts);
                yield mesh == null ? WellKnown.DEFAULT_MESH : mesh;
            }
            case NAMESPACE -> {
                String namespace =
                        manifest.at("namespace").text(NameRule.NAMESPACE.toString(), NameRule.NAMESPACE::accepts);
                yield namespace == null ? WellKnown.DEFAULT_NAMESPACE : namespace;
            }
        };
    }

    private static ObjectNode spec(Kind kind, Fields manifest) {
        boolean inline = kind.shape() == Shape.INLINE;
        ObjectNode given = inline ? manifest.rest() : manifest.at("spec").tree();
        ObjectNode spec = given == null ? JsonNodeFactory.instance.objectNode() : given;
        kind.reader()
                .ifPresent(reader -> reader.check(
                        spec, inline ? manifest.path() : manifest.path().field("spec"), manifest.faults()));
        return spec;
    }
}
