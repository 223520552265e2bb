package io.parley.proxy.inject;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Something in a manifest that makes pods.
 *
 * @param name kind and name, for people
 * @param template the mapping that has the pod's {@code spec}
 */
record Workload(String name, MappingNode template) {
    private static final Map<String, List<String>> TEMPLATES = Map.of(
            "Pod", List.of(),
            "PodTemplate", List.of("template"),
            "Deployment", List.of("spec", "template"),
            "StatefulSet", List.of("spec", "template"),
            "DaemonSet", List.of("spec", "template"),
            "ReplicaSet", List.of("spec", "template"),
            "ReplicationController", List.of("spec", "template"),
            "Job", List.of("spec", "template"),
            "CronJob", List.of("spec", "jobTemplate", "spec", "template"));

    private static final String LIST = "List";

    /** The workloads of a document; a List may have many, and most kinds have none. Tells {@code notes} of what it cannot make out. */
    static Stream<Workload> in(Node document, Consumer<String> notes) {
        if (Templates.isUnrendered(document)) {
            notes.accept(leftAlone(document, "it has {{ … }} of a template (expected: as helm template renders it)"));
            return Stream.empty();
        }
        return in(document, "", notes);
    }

    /** Items of a list of one kind, such as DeploymentList, need not repeat it. */
    private static Stream<Workload> in(Node document, String usualKind, Consumer<String> notes) {
        if (!(document instanceof MappingNode root)) {
            if (!document.getTag().equals(Tag.NULL)) {
                notes.accept(leftAlone(document, "it is no object"));
            }
            return Stream.empty();
        }
        String kind = text(root, "kind").orElse(usualKind);
        if (kind.isEmpty()) {
            notes.accept(leftAlone(document, "it has no kind"));
            return Stream.empty();
        }
        if (kind.endsWith(LIST)) {
            String ofItems = kind.substring(0, kind.length() - LIST.length());
            return find(root, "items").filter(SequenceNode.class::isInstance).map(SequenceNode.class::cast).stream()
                    .flatMap(items -> items.getValue().stream())
                    .flatMap(item -> in(item, ofItems, notes));
        }
        List<String> path = TEMPLATES.get(kind);
        if (path == null) {
            return Stream.empty();
        }
        Optional<MappingNode> template = Optional.of(root);
        for (String key : path) {
            template = template.flatMap(node -> mapping(node, key));
        }
        String name = mapping(root, "metadata")
                .flatMap(metadata -> text(metadata, "name"))
                .orElse("without a name");
        Optional<Workload> found = template.filter(node -> mapping(node, "spec").isPresent())
                .map(node -> new Workload(kind + "/" + name, node));
        if (found.isEmpty()) {
            String missing = Stream.concat(path.stream(), Stream.of("spec")).collect(Collectors.joining("."));
            notes.accept(kind + "/" + name + " left alone: it has no " + missing);
        }
        return found.stream();
    }

    private static String leftAlone(Node document, String why) {
        return "what begins in line " + (document.getStartMark().getLine() + 1) + " left alone: " + why;
    }

    MappingNode spec() {
        return mapping(template, "spec").orElseThrow();
    }

    Optional<String> annotation(String key) {
        return mapping(template, "metadata")
                .flatMap(metadata -> mapping(metadata, "annotations"))
                .flatMap(annotations -> text(annotations, key));
    }

    /** Items of a list in the pod's spec. */
    Stream<MappingNode> items(String key) {
        return items(spec(), key);
    }

    static Stream<MappingNode> items(MappingNode parent, String key) {
        return all(parent, key).filter(MappingNode.class::isInstance).map(MappingNode.class::cast);
    }

    static Stream<String> texts(MappingNode parent, String key) {
        return all(parent, key).filter(ScalarNode.class::isInstance).map(node -> ((ScalarNode) node).getValue());
    }

    private static Stream<Node> all(MappingNode parent, String key) {
        return find(parent, key).filter(SequenceNode.class::isInstance).stream()
                .flatMap(list -> ((SequenceNode) list).getValue().stream());
    }

    static Optional<NodeTuple> entry(MappingNode mapping, String key) {
        return mapping.getValue().stream()
                .filter(entry -> entry.getKeyNode() instanceof ScalarNode name
                        && name.getValue().equals(key))
                .findFirst();
    }

    static Optional<Node> find(MappingNode mapping, String key) {
        return entry(mapping, key).map(NodeTuple::getValueNode);
    }

    static Optional<MappingNode> mapping(MappingNode parent, String key) {
        return find(parent, key).filter(MappingNode.class::isInstance).map(MappingNode.class::cast);
    }

    static Optional<String> text(MappingNode mapping, String key) {
        return find(mapping, key).filter(ScalarNode.class::isInstance).map(node -> ((ScalarNode) node).getValue());
    }
}
