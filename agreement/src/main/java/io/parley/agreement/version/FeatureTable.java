package io.parley.agreement.version;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Versions that a peer announces by naming a feature for each (gRPC A30, draft of June 2020). The table holds all that ever
 * existed, oldest first, and a side supports the newest two: a line added at the end drops the support for the third last, and
 * nothing else has to change. The first version of all may need no feature: peers are older than the feature list, so that one
 * is assumed as long as the window covers it.
 *
 * @param oldestFirst the lines of the table
 */
public record FeatureTable<V>(List<Line<V>> oldestFirst) {
    private static final String RULE = "highest common version (gRPC A30)";

    /**
     * One version and how a peer announces it.
     *
     * @param feature what the peer lists if it speaks the version; empty if it lists nothing and the version is assumed
     */
    public record Line<V>(V version, String feature) {
        boolean isAnnouncedBy(Collection<String> features) {
            return feature.isEmpty() || features.contains(feature);
        }
    }

    public FeatureTable {
        oldestFirst = List.copyOf(oldestFirst);
        long assumed =
                oldestFirst.stream().filter(line -> line.feature().isEmpty()).count();
        if (assumed > 1 || (assumed == 1 && !oldestFirst.getFirst().feature().isEmpty())) {
            throw new IllegalArgumentException(
                    "versions without a feature: " + oldestFirst + " (expected: only the first)");
        }
        if (oldestFirst.stream().map(Line::feature).distinct().count() != oldestFirst.size()) {
            throw new IllegalArgumentException("features: " + oldestFirst + " (expected: each one once)");
        }
    }

    /** A table whose oldest version is assumed of every peer. */
    public static <V> FeatureTable<V> assuming(V oldest) {
        return new FeatureTable<>(List.of(new Line<>(oldest, "")));
    }

    /** The same table after the release of one more version. */
    public FeatureTable<V> then(V version, String feature) {
        List<Line<V>> lines = new ArrayList<>(oldestFirst);
        lines.add(new Line<>(version, feature));
        return new FeatureTable<>(lines);
    }

    /** The table as it was when {@code newest} was the newest version. */
    public FeatureTable<V> upTo(V newest) {
        int last = versions().oldestFirst().indexOf(newest);
        if (last < 0) {
            throw new IllegalArgumentException("version: " + newest + " (expected: one of " + versions() + ")");
        }
        return new FeatureTable<>(oldestFirst.subList(0, last + 1));
    }

    /** The versions that a side with this table supports. */
    public VersionWindow<V> window() {
        return versions().window();
    }

    /** The feature that announces the version; none if it is assumed. */
    public Optional<String> feature(V version) {
        return oldestFirst.stream()
                .filter(line ->
                        line.version().equals(version) && !line.feature().isEmpty())
                .map(Line::feature)
                .findFirst();
    }

    /** The version to speak with a peer that lists these features; unknown ones mean nothing here. */
    public VersionChoice<V> choose(Collection<String> features) {
        List<V> announced = oldestFirst.stream()
                .filter(line -> line.isAnnouncedBy(features))
                .map(Line::version)
                .toList();
        return window().agreeWith(announced)
                .<VersionChoice<V>>map(decision -> new VersionChoice.Agreed<>(explain(decision.value(), features)))
                .orElseGet(() -> new VersionChoice.NothingInCommon<>(refusal(features)));
    }

    private VersionHistory<V> versions() {
        return new VersionHistory<>(oldestFirst.stream().map(Line::version).toList());
    }

    private Decision<V> explain(V chosen, Collection<String> features) {
        VersionWindow<V> window = window();
        String because = feature(chosen)
                .map(feature -> "the server's features name " + feature)
                .orElse("every server is assumed to speak it");
        if (!chosen.equals(window.preferred())) {
            because += " and " + features + " name nothing newer of " + window.preferredFirst();
        }
        return new Decision<>(chosen, because, new Source("bootstrap", "server_features", RULE));
    }

    private String refusal(Collection<String> features) {
        List<String> wanted = window().preferredFirst().stream()
                .flatMap(version -> feature(version).stream())
                .toList();
        return "this client speaks " + window().preferredFirst() + " and the server's features are " + features
                + " (expected: one of " + wanted + "; upgrade the server, or list the feature if it has it)";
    }
}
