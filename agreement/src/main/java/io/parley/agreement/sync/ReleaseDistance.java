package io.parley.agreement.sync;

import io.parley.agreement.version.NodeVersion;
import java.util.List;

/** Whether two releases are near enough to be supported together. Those that are not are served all the same, and marked. */
public final class ReleaseDistance {
    private static final int MINORS = 2;

    private ReleaseDistance() {}

    /** Same major, minors at most two apart; what cannot be read as a version, such as a preview, counts as near. */
    public static boolean near(String one, String other) {
        List<Integer> left = numbers(one);
        List<Integer> right = numbers(other);
        return left.size() < 2
                || right.size() < 2
                || (left.get(0).equals(right.get(0)) && Math.abs(left.get(1) - right.get(1)) <= MINORS);
    }

    private static List<Integer> numbers(String release) {
        return release.contains("preview")
                ? List.of()
                : NodeVersion.parse(release).map(NodeVersion::numbers).orElse(List.of());
    }
}
