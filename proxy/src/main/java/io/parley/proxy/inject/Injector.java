package io.parley.proxy.inject;

import io.parley.agreement.port.PortList;
import io.parley.agreement.port.PortRange;
import io.parley.agreement.port.PortSet;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import io.parley.resource.text.QuestionMarks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Adds a proxy to every pod in a manifest: a step that sets up interception, the proxy as a sidecar that starts before the application
 * and ends after it, and its secret. A pod that has a proxy is left alone, so a manifest can be injected again.
 */
public final class Injector {
    static final String PROXY = "parley-proxy";
    static final String INIT = "parley-init";
    static final String MARK = "parley.io/injected";

    private static final List<String> OPAQUE =
            List.of("config.linkerd.io/opaque-ports", "config.linkerd.io/proxy-opaque-tcp");
    private static final String SKIP_INBOUND = "config.linkerd.io/skip-inbound-ports";
    private static final String SKIP_OUTBOUND = "config.linkerd.io/skip-outbound-ports";
    private static final String WAIT = "config.alpha.linkerd.io/proxy-wait-before-exit-seconds";
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");
    private static final String ALWAYS_SKIPPED = "4190,4191,4567,4568";
    private static final int MAX_CODE_POINTS = 3 << 20;
    private static final int MAX_ALIASES = 50;
    private static final int MAX_DEPTH = 50;

    private final InjectSettings settings;
    private final List<String> notes = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();
    private final Set<Node> edited = Collections.newSetFromMap(new IdentityHashMap<>());

    private Injector(InjectSettings settings) {
        this.settings = settings;
    }

    /** Rejected if the text is no YAML, or an annotation has a port that is none. */
    public static Result<Injected> inject(String manifest, InjectSettings settings) {
        return new Injector(settings).inject(manifest);
    }

    private Result<Injected> inject(String manifest) {
        YamlEdits edits = new YamlEdits(manifest);
        Probes probes = new Probes(edits, notes::add);
        try {
            LoaderOptions limits = limits();
            Composer documents = new Composer(QuestionMarks.parserOf(manifest, limits), new Resolver(), limits);
            while (documents.checkNode()) {
                Workload.in(documents.getNode(), notes::add).forEach(workload -> inject(workload, edits, probes));
            }
        } catch (MarkedYAMLException e) {
            Mark at = e.getProblemMark();
            String where = "line " + (at.getLine() + 1) + ", column " + (at.getColumn() + 1);
            violations.add(new Violation(where, e.getProblem() + Templates.hint(manifest)));
        } catch (YAMLException e) {
            violations.add(new Violation("", String.valueOf(e.getMessage())));
        }
        return violations.isEmpty()
                ? new Result.Accepted<>(new Injected(edits.apply(), notes))
                : new Result.Rejected<>(violations);
    }

    private static LoaderOptions limits() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_CODE_POINTS);
        options.setMaxAliasesForCollections(MAX_ALIASES);
        options.setNestingDepthLimit(MAX_DEPTH);
        return options;
    }

    private void inject(Workload workload, YamlEdits edits, Probes probes) {
        Optional<String> reason = LeftAlone.reason(workload);
        if (reason.isEmpty() && !edited.add(workload.template())) {
            notes.add(workload.name() + " injected with the template that it shares by an alias");
            return;
        }
        notes.add(workload.name() + reason.map(why -> " left alone: " + why).orElse(" injected"));
        if (reason.isEmpty()) {
            mark(workload, edits);
            Map<String, PortSet> named = named(workload);
            PortSet skipped = workload.annotation(SKIP_INBOUND)
                    .map(text -> PortList.parse(text, named).ports())
                    .orElse(PortSet.EMPTY);
            Set<String> asked = probes.turn(workload, named, skipped);
            addFirst(workload.spec(), "initContainers", List.of(init(workload), proxy(workload, asked)), edits);
            addFirst(workload.spec(), "volumes", List.of(volume()), edits);
        }
    }

    /** The maps that an annotation needs are made if they are not there (case 44). */
    private static void mark(Workload workload, YamlEdits edits) {
        MappingNode template = workload.template();
        Optional<MappingNode> metadata = Workload.mapping(template, "metadata");
        Optional<MappingNode> annotations = metadata.flatMap(node -> Workload.mapping(node, "annotations"));
        if (annotations.isPresent()) {
            edits.addFirst(annotations.get(), MARK, "true");
        } else if (metadata.isPresent()) {
            add(metadata.get(), "annotations", Map.of(MARK, "true"), edits);
        } else {
            add(template, "metadata", Map.of("annotations", Map.of(MARK, "true")), edits);
        }
    }

    private static void addFirst(MappingNode spec, String key, List<?> items, YamlEdits edits) {
        if (Workload.find(spec, key).orElse(null) instanceof SequenceNode list) {
            edits.addFirst(list, items);
        } else {
            add(spec, key, items, edits);
        }
    }

    /** The key may be there without a value, as some tools write it. */
    private static void add(MappingNode mapping, String key, Object value, YamlEdits edits) {
        NodeTuple entry = Workload.entry(mapping, key).orElse(null);
        if (entry != null && entry.getValueNode() instanceof ScalarNode) {
            edits.fill(entry, value);
        } else {
            edits.addFirst(mapping, key, value);
        }
    }

    private Map<String, Object> init(Workload workload) {
        String skipInbound = numbers(workload, SKIP_INBOUND)
                .map(ports -> ALWAYS_SKIPPED + "," + ports)
                .orElse(ALWAYS_SKIPPED);
        Map<String, Object> container = container(
                INIT,
                List.of(
                        "proxy",
                        "iptables",
                        "--apply",
                        "--skip-inbound-ports=" + skipInbound,
                        "--skip-outbound-ports="
                                + numbers(workload, SKIP_OUTBOUND).orElse("4567,4568")));
        container.put(
                "securityContext",
                ordered(
                        "runAsUser",
                        0,
                        // Whatever the pod says: a kubelet does not start root where it would inherit true.
                        "runAsNonRoot",
                        false,
                        "capabilities",
                        Map.of("add", List.of("NET_ADMIN", "NET_RAW"))));
        return container;
    }

    private List<String> arguments(Workload workload, Set<String> probes) {
        List<String> arguments = new ArrayList<>(List.of(
                "proxy",
                "--control-plane=" + settings.controlPlane(),
                "--token=/var/run/parley/token",
                "--ca=/var/run/parley/ca.pem",
                "--mesh=" + settings.mesh(),
                "--name=$(POD_NAME)",
                "--admin=0.0.0.0:4191",
                "--admin-token=/var/run/parley/admin.token"));
        workload.annotation(WAIT)
                .filter(text -> isSeconds(workload, text))
                .ifPresent(seconds -> arguments.add("--drain-delay=" + seconds + "s"));
        probes.forEach(probe -> arguments.add("--probe=" + probe));
        return arguments;
    }

    private Map<String, Object> proxy(Workload workload, Set<String> probes) {
        Map<String, Object> container = container(PROXY, arguments(workload, probes));
        container.put("restartPolicy", "Always");
        container.put("env", environment(workload));
        container.put(
                "ports",
                List.of(
                        ordered("name", "parley-inbound", "containerPort", 4143),
                        ordered("name", "parley-admin", "containerPort", 4191)));
        container.put(
                "startupProbe",
                ordered(
                        "httpGet",
                        ordered("path", "/ready", "port", 4191),
                        "periodSeconds",
                        1,
                        "failureThreshold",
                        120));
        container.put(
                "securityContext",
                ordered(
                        "runAsUser", 2102,
                        "runAsNonRoot", true,
                        "allowPrivilegeEscalation", false,
                        "readOnlyRootFilesystem", true,
                        "capabilities", Map.of("drop", List.of("ALL"))));
        container.put(
                "volumeMounts", List.of(ordered("name", PROXY, "mountPath", "/var/run/parley", "readOnly", true)));
        return container;
    }

    private boolean isSeconds(Workload workload, String text) {
        boolean is = SECONDS.matcher(text).matches();
        if (!is) {
            violations.add(new Violation(
                    workload.name() + " " + WAIT, text + " (expected: a whole number of seconds, such as 5)"));
        }
        return is;
    }

    private List<Object> environment(Workload workload) {
        List<Object> environment = new ArrayList<>();
        environment.add(
                ordered("name", "POD_NAME", "valueFrom", Map.of("fieldRef", Map.of("fieldPath", "metadata.name"))));
        OPAQUE.stream()
                .flatMap(annotation -> numbers(workload, annotation).stream())
                .findFirst()
                .ifPresent(ports ->
                        environment.add(ordered("name", "LINKERD2_PROXY_INBOUND_OPAQUE_PORTS", "value", ports)));
        return environment;
    }

    private Map<String, Object> container(String name, List<String> arguments) {
        return ordered("name", name, "image", settings.image(), "args", arguments);
    }

    private Map<String, Object> volume() {
        return ordered("name", PROXY, "secret", Map.of("secretName", settings.secret()));
    }

    /** The ports of an annotation, names resolved by the pod's containers; empty if it has none. */
    private Optional<String> numbers(Workload workload, String annotation) {
        return workload.annotation(annotation).map(text -> {
            PortList list = PortList.parse(text, named(workload));
            list.rejected()
                    .forEach(
                            item -> violations.add(new Violation(workload.name() + " " + annotation, item.toString())));
            return list.ports().ranges().stream().map(PortRange::toString).collect(Collectors.joining(","));
        });
    }

    private static Map<String, PortSet> named(Workload workload) {
        Map<String, PortSet> named = new HashMap<>();
        workload.items("containers")
                .flatMap(container -> Workload.find(container, "ports").stream())
                .filter(SequenceNode.class::isInstance)
                .flatMap(ports -> ((SequenceNode) ports).getValue().stream())
                .filter(MappingNode.class::isInstance)
                .map(MappingNode.class::cast)
                .forEach(port -> Workload.text(port, "name")
                        .ifPresent(name -> Workload.text(port, "containerPort")
                                .map(PortList::parse)
                                .ifPresent(number -> named.merge(name, number.ports(), PortSet::or))));
        return named;
    }

    /** Keys and values in turn. */
    private static Map<String, Object> ordered(Object... entries) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        return map;
    }
}
