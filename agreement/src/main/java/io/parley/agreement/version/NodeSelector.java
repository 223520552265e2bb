package io.parley.agreement.version;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes a policy is about: those that meet every criterion that is set.
 *
 * @param tenant absent: any
 * @param nodeType absent: any
 * @param labels each of them must be there with this value
 */
public record NodeSelector(
        @Nullable String tenant, @Nullable String nodeType, Map<String, String> labels, NodeVersionRange nodeVersions) {
    public static final NodeSelector EVERY_NODE = new NodeSelector(null, null, Map.of(), NodeVersionRange.ANY);

    public NodeSelector {
        labels = Map.copyOf(labels);
    }

    boolean matches(Requester requester, NodeDescription node) {
        return (tenant == null || tenant.equals(requester.tenant()))
                && (nodeType == null || nodeType.equals(node.type()))
                && requester.labels().entrySet().containsAll(labels.entrySet())
                && nodeVersions.contains(node.version());
    }

    /** How many criteria are set. The more there are, the more somebody meant just these nodes. */
    int specificity() {
        return (tenant == null ? 0 : 1) + (nodeType == null ? 0 : 1) + labels.size() + (nodeVersions.isAny() ? 0 : 1);
    }
}
