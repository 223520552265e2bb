package io.parley.sync.codec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.parley.resource.Document;
import io.parley.resource.Form;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.NameRule;
import io.parley.resource.kind.Scope;
import io.parley.resource.kind.Shape;
import io.parley.resource.read.Faults;
import io.parley.resource.read.Path;
import io.parley.resource.text.Syntax;
import io.parley.resource.text.TextDocument;
import io.parley.resource.text.TextReader;
import io.parley.store.engine.Storable;
import io.parley.wire.sync.proto.KumaResource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A resource as the message that carries it, and back. Nothing in a peer's bytes makes it throw. */
public final class ResourceCodec {
    public static final String TYPE_URL = "type.googleapis.com/kuma.mesh.v1alpha1.KumaResource";

    private ResourceCodec() {}

    /** Whether a peer understands specs of the kind in the form that we have for it. */
    static boolean isUnderstood(Kind kind, Encoding.Specs specs) {
        return specs == Encoding.Specs.JSON || kind.shape() != Shape.INLINE || SpecMessages.know(kind);
    }

    /**
     * The message of a resource, under the name that the peer is to see.
     *
     * @return nothing if the spec cannot be put into the form that the peer understands
     */
    public static Optional<KumaResource> encode(Kind kind, Resource resource, Encoding.Specs specs) {
        Optional<Any> spec = specs == Encoding.Specs.PROTOBUF && SpecMessages.know(kind)
                ? SpecMessages.pack(kind, resource.spec())
                : Optional.of(json(resource.spec()));
        return spec.map(packed -> {
            KumaResource.Meta.Builder meta = KumaResource.Meta.newBuilder()
                    .setName(resource.key().name())
                    .setMesh(resource.key().space())
                    .putAllLabels(resource.labels());
            if (specs == Encoding.Specs.JSON) {
                meta.putAllAnnotations(resource.annotations()).setKubernetesForm(resource.form() == Form.KUBERNETES);
            }
            KumaResource.Builder message =
                    KumaResource.newBuilder().setMeta(meta).setSpec(packed);
            Document status = resource.status();
            if (status != null) {
                message.setStatus(json(status));
            }
            return message.build();
        });
    }

    /** Reads what a peer sent, as a resource of this kind under the peer's name for it. */
    public static Result<Resource> decode(Kind kind, Any any) {
        if (!any.getTypeUrl().equals(TYPE_URL)) {
            return rejected("type_url", any.getTypeUrl() + " (expected: " + TYPE_URL + ")");
        }
        try {
            return decode(kind, KumaResource.parseFrom(any.getValue()));
        } catch (InvalidProtocolBufferException e) {
            return rejected("", "not a KumaResource: " + e.getMessage());
        }
    }

    private static Result<Resource> decode(Kind kind, KumaResource message) throws InvalidProtocolBufferException {
        KumaResource.Meta meta = message.getMeta();
        // Fields that a newer peer knows are kept, for those further on that know them too; values that we cannot read
        // are not.
        Faults faults = Faults.exceptUnknownFields();
        checkName(kind, meta, faults);
        ObjectNode spec = tree(kind, message.getSpec(), "spec", faults);
        ObjectNode status = message.hasStatus() ? tree(kind, message.getStatus(), "status", faults) : null;
        if (spec != null) {
            kind.reader().ifPresent(reader -> reader.check(spec, Path.ROOT.field("spec"), faults));
        }
        if (!faults.isEmpty() || spec == null) {
            return new Result.Rejected<>(faults.found());
        }
        Resource resource = new Resource(
                new ResourceKey(kind.id(), meta.getMesh(), meta.getName()),
                meta.getKubernetesForm() ? Form.KUBERNETES : Form.UNIVERSAL,
                meta.getLabelsMap(),
                meta.getAnnotationsMap(),
                Document.of(spec),
                status == null ? null : Document.of(status));
        return Storable.problem(resource)
                .map(problem -> rejected("", problem))
                .orElseGet(() -> new Result.Accepted<>(resource));
    }

    private static void checkName(Kind kind, KumaResource.Meta meta, Faults faults) {
        Path path = Path.ROOT.field("meta");
        if (!kind.names().accepts(meta.getName())) {
            faults.add(path.field("name"), shown(meta.getName()) + " (expected: " + kind.names() + ")");
        }
        boolean meshIsGood = kind.scope() == Scope.MESH
                ? NameRule.MESH.accepts(meta.getMesh())
                : meta.getMesh().isEmpty();
        if (!meshIsGood) {
            String expected = kind.scope() == Scope.MESH ? NameRule.MESH.toString() : "none for a " + kind.name();
            faults.add(path.field("mesh"), shown(meta.getMesh()) + " (expected: " + expected + ")");
        }
    }

    private static @Nullable ObjectNode tree(Kind kind, Any any, String field, Faults faults)
            throws InvalidProtocolBufferException {
        if (!any.getTypeUrl().isEmpty()) {
            return new Document(SpecMessages.unpack(kind, any)).tree();
        }
        List<TextDocument> documents = TextReader.read(any.getValue().toByteArray(), Syntax.JSON);
        if (documents.isEmpty()) {
            return Document.EMPTY.tree();
        }
        if (documents.size() == 1
                && documents.getFirst() instanceof TextDocument.Read read
                && read.tree() instanceof ObjectNode tree) {
            return tree;
        }
        faults.add(Path.ROOT.field(field), "not JSON (expected: one object)");
        return null;
    }

    private static Any json(Document document) {
        return Any.newBuilder()
                .setValue(ByteString.copyFromUtf8(document.json()))
                .build();
    }

    private static Result<Resource> rejected(String path, String message) {
        return new Result.Rejected<>(List.of(new Violation(path, message)));
    }

    private static String shown(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "…";
    }
}
