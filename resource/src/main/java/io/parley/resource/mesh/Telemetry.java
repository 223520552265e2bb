package io.parley.resource.mesh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.read.Fields;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a mesh sends traces, logs or metrics unless a policy says otherwise.
 *
 * @param backend the one in use; null for none
 */
public record Telemetry(@Nullable String backend, List<Backend> backends) {
    static final Signal TRACING = new Signal("defaultBackend", List.of("zipkin", "datadog"));
    static final Signal LOGGING = new Signal("defaultBackend", List.of("tcp", "file"));
    static final Signal METRICS = new Signal("enabledBackend", List.of("prometheus"));

    /** What is sent: the field that names the backend in use, and the types of backend. */
    record Signal(String inUse, List<String> types) {}

    /**
     * One place.
     *
     * @param conf for its type; kept as it is
     */
    public record Backend(
            String name,
            String type,
            @Nullable String format,
            @Nullable BigDecimal sampling,
            @Nullable ObjectNode conf) {}

    public Telemetry {
        backends = List.copyOf(backends);
    }

    static Telemetry read(Fields fields, Signal signal) {
        List<Backend> backends = fields.at("backends").objects(backend -> backend(backend, signal));
        Telemetry telemetry = new Telemetry(fields.at(signal.inUse).text(), backends);
        checkNames(fields, signal.inUse, backends.stream().map(Backend::name).toList());
        return telemetry;
    }

    private static Backend backend(Fields fields, Signal signal) {
        return new Backend(
                fields.at("name").requireText(),
                fields.at("type").requireText("one of " + String.join(", ", signal.types), signal.types::contains),
                signal.equals(LOGGING) ? fields.at("format").text() : null,
                signal.equals(TRACING) ? fields.at("sampling").percentage() : null,
                fields.at("conf").tree());
    }

    /** Names are unique, and the one in use is one of them. */
    static void checkNames(Fields fields, String inUse, List<String> names) {
        Set<String> seen = new HashSet<>();
        names.stream()
                .filter(name -> !name.isEmpty() && !seen.add(name))
                .forEach(name -> fields.fail("backends", name + " again (expected: each name once)"));
        String chosen = fields.at(inUse).text();
        if (chosen != null && !chosen.isEmpty() && !seen.contains(chosen)) {
            fields.fail(inUse, chosen + " (expected: the name of one of the backends)");
        }
    }
}
