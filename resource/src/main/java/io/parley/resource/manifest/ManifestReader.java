package io.parley.resource.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.Violation;
import io.parley.resource.read.Dialect;
import io.parley.resource.read.Faults;
import io.parley.resource.read.Fields;
import io.parley.resource.read.Path;
import io.parley.resource.text.Limits;
import io.parley.resource.text.Syntax;
import io.parley.resource.text.TextDocument;
import io.parley.resource.text.TextReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Manifests of strangers to resources. Both forms, any number of documents, {@code List} objects taken apart. Nothing in the
 * text makes it throw; what is wrong comes back with its path, next to what is right.
 */
public final class ManifestReader {
    private static final int MOST_PROBLEMS = 100;
    private static final int LONGEST_SUBJECT = 100;

    private final UniversalForm universal;
    private final KubernetesForm kubernetes;
    private final @Nullable Consumer<String> leftOut;

    /** Refuses every kind that it does not know. */
    public ManifestReader(StatusField statusField) {
        this(statusField, null);
    }

    /** Leaves out what Kubernetes runs and nobody here looks at, and tells {@code leftOut} of each. */
    public ManifestReader(StatusField statusField, @Nullable Consumer<String> leftOut) {
        this.universal = new UniversalForm(statusField);
        this.kubernetes = new KubernetesForm(statusField);
        this.leftOut = leftOut;
    }

    public Manifests read(byte[] bytes, Syntax syntax) {
        Gathered gathered = new Gathered();
        for (TextDocument document : TextReader.read(bytes, syntax)) {
            switch (document) {
                case TextDocument.Read(int index, JsonNode tree) -> readDocument(tree, Path.ROOT, index, gathered);
                case TextDocument.Unreadable unreadable ->
                    gathered.add(new Problem(
                            unreadable.index(), unreadable.at(), "", new Violation("", unreadable.message())));
            }
        }
        if (gathered.problems.isEmpty()) {
            return new Manifests.Good(gathered.resources);
        }
        // JSON is YAML, so lines are found in the same way in both.
        boolean small = bytes.length <= Limits.BYTES;
        return new Manifests.Faulty(
                gathered.resources, small ? Positions.fill(gathered.problems, bytes) : gathered.problems);
    }

    private void readDocument(JsonNode tree, Path path, int document, Gathered gathered) {
        if (!(tree instanceof ObjectNode manifest)) {
            String message = "not an object (expected: fields such as type and name, or apiVersion and kind)";
            gathered.add(new Problem(document, null, "", new Violation(path.text(), message)));
        } else if (isList(manifest)) {
            Path items = path.field("items");
            for (int index = 0; index < manifest.path("items").size(); index++) {
                readDocument(manifest.path("items").get(index), items.item(index), document, gathered);
            }
        } else {
            readManifest(manifest, path, document, gathered);
        }
    }

    private void readManifest(ObjectNode manifest, Path path, int document, Gathered gathered) {
        if (leftOut != null && RunByOthers.has(manifest)) {
            leftOut.accept(subject(manifest));
            return;
        }
        Faults faults = new Faults();
        Optional<Resource> resource = Fields.read(manifest, path, Dialect.PLAIN, faults, this::readForm);
        if (resource.isPresent() && faults.isEmpty()) {
            gathered.add(resource.get(), path, document, subject(manifest));
        }
        faults.found().forEach(found -> gathered.add(new Problem(document, null, subject(manifest), found)));
    }

    private Optional<Resource> readForm(Fields manifest) {
        // In this order: a Secret of Kubernetes has a field named type.
        if (manifest.has("apiVersion")) {
            return kubernetes.read(manifest);
        }
        if (manifest.has("type")) {
            return universal.read(manifest);
        }
        if (manifest.has("kind")) {
            return kubernetes.read(manifest);
        }
        var _ = manifest.rest();
        manifest.fail("not a resource (expected: type and name, or apiVersion, kind and metadata)");
        return Optional.empty();
    }

    private static boolean isList(ObjectNode manifest) {
        return manifest.path("kind").asText().equals("List")
                && manifest.path("apiVersion").asText().equals("v1")
                && manifest.path("items").isArray();
    }

    private static String subject(ObjectNode manifest) {
        String kind = manifest.path("kind").asText(manifest.path("type").asText());
        String name = manifest.path("name")
                .asText(manifest.path("metadata").path("name").asText());
        String subject = (kind + " " + name).strip();
        return subject.length() <= LONGEST_SUBJECT ? subject : subject.substring(0, LONGEST_SUBJECT) + "…";
    }

    /** What was found so far. */
    private static final class Gathered {
        private final List<Resource> resources = new ArrayList<>();
        private final List<Problem> problems = new ArrayList<>();
        private final Map<ResourceKey, Integer> documentOf = new HashMap<>();

        void add(Problem problem) {
            if (problems.size() < MOST_PROBLEMS) {
                problems.add(problem);
            }
        }

        void add(Resource resource, Path path, int document, String subject) {
            Integer first = documentOf.putIfAbsent(resource.key(), document);
            if (first == null) {
                resources.add(resource);
                return;
            }
            String message = resource.key() + " again (expected: once; it is in document " + (first + 1) + " too)";
            add(new Problem(document, null, subject, new Violation(path.text(), message)));
        }
    }
}
