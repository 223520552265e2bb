package io.parley.proxy.inject;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.yaml.snakeyaml.nodes.MappingNode;

/** Which pods get no proxy, and why. */
final class LeftAlone {
    /** As the YAML that Kubernetes reads writes it. */
    private static final Set<String> YES = Set.of("true", "yes", "on", "y");

    /** Ours and those of other meshes: two that intercept the same connections would each take the other's. */
    private static final Set<String> PROXIES =
            Set.of(Injector.PROXY, "linkerd-proxy", "istio-proxy", "kuma-sidecar", "consul-dataplane");

    /** What sets up interception for them. A proxy may be named otherwise, or be put in by a cluster's webhook. */
    private static final Set<String> INTERCEPTORS = Set.of(
            "linkerd-init",
            "linkerd-network-validator",
            "istio-init",
            "istio-validation",
            "kuma-init",
            "kuma-validation",
            "consul-connect-inject-init");

    private static final List<String> SWITCHES = List.of("parley.io/inject", "linkerd.io/inject");
    private static final List<String> SYSTEM_LABELS = List.of("kubernetes.io/os", "beta.kubernetes.io/os");

    private static final String WINDOWS = "windows";

    private LeftAlone() {}

    /** The first that holds, in words that follow "left alone:"; empty for a pod that gets a proxy. */
    static Optional<String> reason(Workload workload) {
        if (workload.annotation(Injector.MARK).isPresent()) {
            return Optional.of("it has a proxy");
        }
        return named(workload, PROXIES)
                .map(proxy -> "it has a proxy, " + proxy)
                .or(() -> named(workload, INTERCEPTORS)
                        .map(init -> "its connections are intercepted for another mesh, by " + init))
                .or(() -> host(workload))
                .or(() -> windows(workload))
                .or(() -> off(workload));
    }

    private static Optional<String> named(Workload workload, Set<String> names) {
        return Stream.of("initContainers", "containers")
                .flatMap(workload::items)
                .flatMap(container -> Workload.text(container, "name").stream())
                .filter(names::contains)
                .findFirst();
    }

    private static Optional<String> host(Workload workload) {
        return Workload.text(workload.spec(), "hostNetwork")
                .filter(value -> YES.contains(value.toLowerCase(Locale.ROOT)))
                .map(yes ->
                        "it uses the host's network, where interception would take every connection of the machine");
    }

    /** Its nodes could not run the step that sets up interception, and the pod would never start. */
    private static Optional<String> windows(Workload workload) {
        MappingNode pod = workload.spec();
        Stream<String> system = Workload.mapping(pod, "os").flatMap(os -> Workload.text(os, "name")).stream();
        Stream<String> selected = Workload.mapping(pod, "nodeSelector").stream()
                .flatMap(selector -> SYSTEM_LABELS.stream().flatMap(label -> Workload.text(selector, label).stream()));
        boolean isFor = Stream.concat(system, selected).anyMatch(WINDOWS::equalsIgnoreCase) || demandsWindows(pod);
        return isFor ? Optional.of("it is for nodes with Windows, where nothing can be intercepted") : Optional.empty();
    }

    /** A node has to meet one of the terms, and all expressions of it. */
    private static boolean demandsWindows(MappingNode pod) {
        List<List<MappingNode>> terms = Workload.mapping(pod, "affinity")
                .flatMap(affinity -> Workload.mapping(affinity, "nodeAffinity"))
                .flatMap(nodes -> Workload.mapping(nodes, "requiredDuringSchedulingIgnoredDuringExecution"))
                .stream()
                .flatMap(required -> Workload.items(required, "nodeSelectorTerms"))
                .map(term -> Workload.items(term, "matchExpressions").toList())
                .toList();
        return !terms.isEmpty()
                && terms.stream().allMatch(expressions -> expressions.stream().anyMatch(LeftAlone::isWindows));
    }

    private static boolean isWindows(MappingNode expression) {
        List<String> values = Workload.texts(expression, "values").toList();
        return Workload.text(expression, "key").filter(SYSTEM_LABELS::contains).isPresent()
                && Workload.text(expression, "operator").filter("In"::equals).isPresent()
                && !values.isEmpty()
                && values.stream().allMatch(WINDOWS::equalsIgnoreCase);
    }

    private static Optional<String> off(Workload workload) {
        return SWITCHES.stream()
                .filter(key ->
                        workload.annotation(key).filter("disabled"::equals).isPresent())
                .map(key -> "its annotation " + key + " says disabled")
                .findFirst();
    }
}
