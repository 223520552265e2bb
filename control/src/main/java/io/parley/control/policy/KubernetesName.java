package io.parley.control.policy;

import io.parley.control.model.Names;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the name of a service says that was made from one of Kubernetes: {@code NAME_NAMESPACE_svc_PORT}, as Kuma has it.
 *
 * @param port empty for a service without ports
 */
record KubernetesName(String name, String namespace, String port) {
    private static final Pattern FORM = Pattern.compile("([^_]+)_([^_]+)_svc(?:_([0-9]+))?");

    static Optional<KubernetesName> of(String service) {
        Matcher matcher = FORM.matcher(service);
        return matcher.matches()
                ? Optional.of(new KubernetesName(
                        matcher.group(1), matcher.group(2), matcher.group(3) == null ? "" : matcher.group(3)))
                : Optional.empty();
    }

    /** The labels that a service has by its name alone. */
    static Map<String, String> labels(String service, @Nullable KubernetesName known) {
        return known == null
                ? Map.of(Names.DISPLAY_NAME, service)
                : Map.of(Names.DISPLAY_NAME, known.name, Names.NAMESPACE, known.namespace);
    }
}
