package io.parley.resource.manifest;

import io.parley.resource.Violation;
import io.parley.resource.text.Position;
import org.jspecify.annotations.Nullable;

/**
 * Something wrong in a text of manifests.
 *
 * @param document the document's place in the text, from 0
 * @param at where in the text, if that is known
 * @param subject what the document seems to be, {@code MeshTimeout timeout-zone}; empty if that cannot be told
 */
public record Problem(int document, @Nullable Position at, String subject, Violation violation) {
    Problem at(@Nullable Position position) {
        return new Problem(document, position, subject, violation);
    }

    @Override
    public String toString() {
        String where = at == null ? "document " + (document + 1) : at.toString();
        return where + (subject.isEmpty() ? "" : " (" + subject + ")") + ": " + violation;
    }
}
