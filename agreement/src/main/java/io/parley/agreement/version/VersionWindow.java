package io.parley.agreement.version;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * The versions that one side supports, the preferred one first. Its own order decides; the other side's order does not matter,
 * so that all peers with the same offer get the same answer.
 */
public record VersionWindow<V>(List<V> preferredFirst) {
    private static final Source RULE = Source.ofRule("highest common version");

    public VersionWindow {
        preferredFirst = List.copyOf(preferredFirst);
        if (preferredFirst.isEmpty()) {
            throw new IllegalArgumentException("versions: none (expected: at least one)");
        }
        if (new HashSet<>(preferredFirst).size() != preferredFirst.size()) {
            throw new IllegalArgumentException("versions: " + preferredFirst + " (expected: each one once)");
        }
    }

    /** The most preferred version that the peer offers too, or nothing if there is none. */
    public Optional<Decision<V>> agreeWith(Collection<V> offered) {
        return preferredFirst.stream()
                .filter(offered::contains)
                .findFirst()
                .map(version -> new Decision<>(version, reasonFor(version, offered), RULE));
    }

    public boolean supports(V version) {
        return preferredFirst.contains(version);
    }

    public V preferred() {
        return preferredFirst.getFirst();
    }

    private String reasonFor(V chosen, Collection<V> offered) {
        if (chosen.equals(preferred())) {
            return chosen + " is preferred here and offered by the peer";
        }
        return chosen + " is the first of " + preferredFirst + " that the peer offers: " + List.copyOf(offered);
    }
}
