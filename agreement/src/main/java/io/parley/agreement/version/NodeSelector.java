package io.parley.agreement.version;

import java.util.Map;
import java.util.Set;

/**
 * Which nodes a policy is about: those that meet every criterion that is set.
 *
 * @param tenants one of them; empty: any
 * @param nodeTypes one of them; empty: any
 * @param labels each of them must be there with this value
 */
public record NodeSelector(
        Set<String> tenants, Set<String> nodeTypes, Map<String, String> labels, NodeVersionRange nodeVersions) {
    public static final NodeSelector EVERY_NODE = new NodeSelector(Set.of(), Set.of(), Map.of(), NodeVersionRange.ANY);

    public NodeSelector {
        tenants = Set.copyOf(tenants);
        nodeTypes = Set.copyOf(nodeTypes);
        labels = Map.copyOf(labels);
    }

    boolean matches(Requester requester, NodeDescription node) {
        return (tenants.isEmpty() || tenants.contains(requester.tenant()))
                && (nodeTypes.isEmpty() || nodeTypes.contains(node.type()))
                && requester.labels().entrySet().containsAll(labels.entrySet())
                && nodeVersions.contains(node.version());
    }

    /** How many criteria are set. The more there are, the more somebody meant just these nodes. */
    int specificity() {
        return (tenants.isEmpty() ? 0 : 1)
                + (nodeTypes.isEmpty() ? 0 : 1)
                + labels.size()
                + (nodeVersions.isAny() ? 0 : 1);
    }
}
