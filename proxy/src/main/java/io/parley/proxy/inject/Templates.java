package io.parley.proxy.inject;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.yaml.snakeyaml.nodes.CollectionNode;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Templates of manifests, such as Helm's, that nobody has rendered. */
final class Templates {
    private Templates() {}

    /** Whether there is something like <code>{{ .Values.name }}</code>: to YAML an object as a key, which no manifest has. */
    static boolean isUnrendered(Node document) {
        return isUnrendered(document, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static boolean isUnrendered(Node node, Set<Node> seen) {
        if (!seen.add(node)) {
            return false;
        }
        return switch (node) {
            case MappingNode mapping ->
                mapping.getValue().stream().anyMatch(entry -> entry.getKeyNode() instanceof CollectionNode<?>)
                        || mapping.getValue().stream().anyMatch(entry -> isUnrendered(entry.getValueNode(), seen));
            case SequenceNode list -> list.getValue().stream().anyMatch(item -> isUnrendered(item, seen));
            default -> false;
        };
    }

    /** What to add to a complaint about a text that is no YAML. */
    static String hint(String text) {
        return text.contains("{{") ? " (expected: a template as helm template renders it)" : "";
    }
}
