package io.parley.proxy.telemetry;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * All series of one metric. Their number is bounded: label values come from outside, and a stranger must not be able to fill the
 * memory with them. What is over the bound is counted together under {@value #OVERFLOW}.
 */
final class Family<T extends Family.Series> {
    /** One line, or a group of lines, of the exposition. */
    interface Series {
        void render(String name, List<String> labelNames, Labels labels, StringBuilder out);
    }

    static final int MAX_SERIES = 1_000;
    static final String OVERFLOW = "other";

    private final String name;
    private final String type;
    private final String help;
    private final List<String> labelNames;
    private final Supplier<T> newSeries;
    private final Map<Labels, T> series = new ConcurrentHashMap<>();

    Family(String name, String type, String help, List<String> labelNames, Supplier<T> newSeries) {
        this.name = name;
        this.type = type;
        this.help = help;
        this.labelNames = List.copyOf(labelNames);
        this.newSeries = newSeries;
    }

    T with(String... values) {
        if (values.length != labelNames.size()) {
            throw new IllegalArgumentException(
                    name + ": " + values.length + " label values (expected: " + labelNames.size() + ")");
        }
        Labels labels = Labels.of(values);
        T known = series.get(labels);
        if (known != null) {
            return known;
        }
        Labels admitted =
                series.size() < MAX_SERIES ? labels : new Labels(Collections.nCopies(labelNames.size(), OVERFLOW));
        return series.computeIfAbsent(admitted, _ -> newSeries.get());
    }

    void render(StringBuilder out) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        series.forEach((labels, value) -> value.render(name, labelNames, labels, out));
    }
}
