package io.parley.proxy.inject;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Which pods get no proxy, and why. */
final class LeftAlone {
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
                .filter("true"::equalsIgnoreCase)
                .map(yes ->
                        "it uses the host's network, where interception would take every connection of the machine");
    }

    /** Its nodes could not run the step that sets up interception, and the pod would never start. */
    private static Optional<String> windows(Workload workload) {
        Stream<String> system =
                Workload.mapping(workload.spec(), "os").flatMap(os -> Workload.text(os, "name")).stream();
        Stream<String> selected = Workload.mapping(workload.spec(), "nodeSelector").stream()
                .flatMap(selector -> SYSTEM_LABELS.stream().flatMap(label -> Workload.text(selector, label).stream()));
        return Stream.concat(system, selected)
                .filter("windows"::equalsIgnoreCase)
                .findFirst()
                .map(windows -> "it is for nodes with Windows, where nothing can be intercepted");
    }

    private static Optional<String> off(Workload workload) {
        return SWITCHES.stream()
                .filter(key ->
                        workload.annotation(key).filter("disabled"::equals).isPresent())
                .map(key -> "its annotation " + key + " says disabled")
                .findFirst();
    }
}
