package io.parley.proxy.inject;

import io.parley.agreement.port.PortList;
import io.parley.agreement.port.PortRange;
import io.parley.agreement.port.PortSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * Turns a pod's HTTP probes to its proxy's admin page, which asks the application: kubelets are no members of the mesh and are refused
 * where only members may ask (docs/decisions/0291).
 */
final class Probes {
    private static final int ADMIN = 4191;
    private static final List<String> KINDS = List.of("startupProbe", "livenessProbe", "readinessProbe");
    private static final List<String> HOOKS = List.of("postStart", "preStop");

    private final YamlEdits edits;
    private final Consumer<String> notes;
    private final Set<Node> turned = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Tells {@code notes} of probes that are left as they are and may fail. */
    Probes(YamlEdits edits, Consumer<String> notes) {
        this.edits = edits;
        this.notes = notes;
    }

    /** Turns those of all containers and says what the proxy may ask for: port and path, as {@code 8080/healthz}. */
    Set<String> turn(Workload workload, Map<String, PortSet> named, PortSet skipped) {
        Set<String> asked = new TreeSet<>();
        List.of("initContainers", "containers")
                .forEach(list -> workload.items(list)
                        .forEach(container -> KINDS.forEach(kind -> Workload.mapping(container, kind)
                                .flatMap(probe -> Workload.mapping(probe, "httpGet"))
                                .ifPresent(get -> turn(workload.name() + " " + kind, get, named, skipped)
                                        .ifPresent(asked::add)))));
        HOOKS.forEach(hook -> workload.items("containers")
                .forEach(container -> Workload.mapping(container, "lifecycle")
                        .flatMap(lifecycle -> Workload.mapping(lifecycle, hook))
                        .flatMap(action -> Workload.mapping(action, "httpGet"))
                        .ifPresent(get -> remark(workload.name() + " lifecycle." + hook, get, named, skipped))));
        return asked;
    }

    /** A proxy that asked in a kubelet's place would ask for everybody, and hooks do things. */
    private void remark(String where, MappingNode get, Map<String, PortSet> named, PortSet skipped) {
        boolean isIntercepted =
                number(get, named).filter(port -> !skipped.contains(port)).isPresent();
        if (isIntercepted && Workload.find(get, "host").isEmpty()) {
            notes.accept(where + " left as it is: kubelets are no members of the mesh; where only members may connect"
                    + " it fails (expected: exec, or its port among config.linkerd.io/skip-inbound-ports)");
        }
    }

    private static Optional<Integer> number(MappingNode get, Map<String, PortSet> named) {
        return Workload.text(get, "port")
                .map(text -> PortList.parse(text, named).ports().ranges())
                .filter(ranges -> ranges.size() == 1)
                .map(ranges -> ranges.iterator().next())
                .filter(range -> range.first() == range.last())
                .map(PortRange::first);
    }

    private Optional<String> turn(String where, MappingNode get, Map<String, PortSet> named, PortSet skipped) {
        Optional<Node> port = Workload.find(get, "port");
        Optional<Integer> number = number(get, named);
        if (number.isEmpty() || number.get() == ADMIN || skipped.contains(number.get())) {
            return Optional.empty();
        }
        if (Workload.text(get, "scheme").filter("HTTPS"::equalsIgnoreCase).isPresent()
                || Workload.find(get, "host").isPresent()) {
            notes.accept(
                    where + " left as it is: its proxy asks over HTTP, at the pod itself; where only members of the"
                            + " mesh may connect it fails");
            return Optional.empty();
        }
        String path = Workload.text(get, "path").orElse("/");
        String asked = number.get() + (path.startsWith("/") ? path : "/" + path);
        if (!turned.add(get)) {
            // Shared by an alias.
            return Optional.of(asked);
        }
        edits.replace((ScalarNode) port.orElseThrow(), ADMIN);
        if (Workload.find(get, "path").orElse(null) instanceof ScalarNode old) {
            edits.replace(old, "/probe/" + asked);
        } else {
            edits.addFirst(get, "path", "/probe/" + asked);
        }
        return Optional.of(asked);
    }
}
