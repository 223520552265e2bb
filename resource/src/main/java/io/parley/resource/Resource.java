package io.parley.resource;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What somebody declared.
 *
 * @param form the way it was written, and is shown again
 * @param spec what its kind says it contains; for a kind without a {@code spec} field, all its fields
 * @param status what was found out about it, or null if nothing was
 */
public record Resource(
        ResourceKey key,
        Form form,
        Map<String, String> labels,
        Map<String, String> annotations,
        Document spec,
        @Nullable Document status) {
    public Resource {
        requireNonNull(key, "key");
        requireNonNull(form, "form");
        requireNonNull(spec, "spec");
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
    }

    public static Resource of(ResourceKey key, Document spec) {
        return new Resource(key, Form.UNIVERSAL, Map.of(), Map.of(), spec, null);
    }

    public Resource withLabels(Map<String, String> newLabels) {
        return new Resource(key, form, newLabels, annotations, spec, status);
    }

    public Resource withSpec(Document newSpec) {
        return new Resource(key, form, labels, annotations, newSpec, status);
    }

    public Resource withStatus(@Nullable Document newStatus) {
        return new Resource(key, form, labels, annotations, spec, newStatus);
    }

    /** Without its document, which may hold a secret: what is logged is who it is. */
    @Override
    public String toString() {
        return key + " (" + form + ")";
    }
}
