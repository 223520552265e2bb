package io.parley.agreement.version;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which releases of a node a policy is about.
 *
 * @param atLeast included; absent: no lower bound
 * @param below not included; absent: no upper bound
 */
public record NodeVersionRange(
        @Nullable NodeVersion atLeast, @Nullable NodeVersion below) {
    /** Matches every node, also one whose version cannot be compared. */
    public static final NodeVersionRange ANY = new NodeVersionRange(null, null);

    boolean isAny() {
        return atLeast == null && below == null;
    }

    /** A version that cannot be compared is in no range but {@link #ANY}. */
    boolean contains(String nodeVersion) {
        if (isAny()) {
            return true;
        }
        Optional<NodeVersion> version = NodeVersion.parse(nodeVersion);
        return version.isPresent()
                && (atLeast == null || version.get().compareTo(atLeast) >= 0)
                && (below == null || version.get().compareTo(below) < 0);
    }
}
