package io.parley.resource.version;

import io.parley.resource.read.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Versions of data planes.
 *
 * @param atLeast the lowest; null for no bound
 * @param below the first that is too high; null for no bound
 */
public record NodeVersionRange(
        @Nullable NodeVersion atLeast, @Nullable NodeVersion below) {
    private static final String EXPECTED = "a version such as 2.6, 2.6.1 or 2.6.1-beta";

    static NodeVersionRange read(Fields fields) {
        fields.needAnyOf("atLeast", "below");
        NodeVersionRange range = new NodeVersionRange(version(fields, "atLeast"), version(fields, "below"));
        if (range.atLeast != null && range.below != null && range.atLeast.compareTo(range.below) >= 0) {
            fields.fail("below", range.below + " (expected: more than " + range.atLeast + ")");
        }
        return range;
    }

    /** Whether a node's version is one of them. What a node calls its version is up to it; what is no version is not. */
    public boolean contains(String nodeVersion) {
        return NodeVersion.parse(nodeVersion)
                .filter(version -> atLeast == null || version.compareTo(atLeast) >= 0)
                .filter(version -> below == null || version.compareTo(below) < 0)
                .isPresent();
    }

    private static @Nullable NodeVersion version(Fields fields, String name) {
        String text = fields.at(name)
                .text(EXPECTED, written -> NodeVersion.parse(written).isPresent());
        return text == null ? null : NodeVersion.parse(text).orElse(null);
    }
}
