package io.parley.proxy.telemetry;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All series of one metric. Their number is bounded: label values come from outside, and a stranger must not be able to fill the
 * memory with them. What is over the bound is counted together under {@value #OVERFLOW}.
 *
 * <p>A series that was dropped as idle may still be in the hands of somebody who counts. It is then found again as soon as something
 * happens in it, with all that it had counted.
 */
final class Family<T extends Family.Series> {
    /** One line, or a group of lines, of the exposition. */
    interface Series {
        void render(String name, List<String> labelNames, Labels labels, StringBuilder out);

        /** Changes, as good as always, when something happens. */
        long activity();
    }

    /** A series that was dropped, for those who still have it, and how far it had come. */
    private record Dropped<T>(WeakReference<T> series, long activity) {}

    static final int MAX_SERIES = 1_000;
    static final String OVERFLOW = "other";
    static final String COUNTER = "counter";
    static final String GAUGE = "gauge";
    static final String HISTOGRAM = "histogram";

    private final String name;
    private final String type;
    private final String help;
    private final List<String> labelNames;
    private final Supplier<T> newSeries;
    private final Map<Labels, T> series = new ConcurrentHashMap<>();

    /** Used under the lock. */
    private final Map<Labels, Dropped<T>> dropped = new HashMap<>();

    private Runnable whenFull = () -> {};

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
        if (series.size() >= MAX_SERIES) {
            whenFull.run();
        }
        return admit(labels);
    }

    private synchronized T admit(Labels labels) {
        T again = restore(labels);
        if (again != null) {
            return again;
        }
        Labels admitted =
                series.size() < MAX_SERIES ? labels : new Labels(Collections.nCopies(labelNames.size(), OVERFLOW));
        return series.computeIfAbsent(admitted, _ -> newSeries.get());
    }

    /** To be told before a series is refused for their number; there may be some to drop. */
    void whenFull(Runnable task) {
        whenFull = task;
    }

    Set<Labels> labels() {
        return series.keySet();
    }

    /** Changes, as good as always, when something happens in the series of these labels; 0 without one. */
    synchronized long activity(Labels labels) {
        T known = series.get(labels);
        if (known != null) {
            return known.activity();
        }
        Dropped<T> gone = dropped.get(labels);
        T held = gone == null ? null : gone.series.get();
        return held == null ? 0 : held.activity();
    }

    /** Whether the series tells of something that is so now, and not only of what happened. */
    boolean tellsOfNow(Labels labels) {
        T known = series.get(labels);
        return type.equals(GAUGE) && known != null && known.activity() != 0;
    }

    synchronized void drop(Labels labels) {
        T idle = series.get(labels);
        if (idle != null) {
            dropped.put(labels, new Dropped<>(new WeakReference<>(idle), idle.activity()));
            series.remove(labels);
        }
    }

    /** Takes a series back that was dropped, if somebody still has it; else null. */
    synchronized @Nullable T restore(Labels labels) {
        Dropped<T> gone = dropped.remove(labels);
        T held = gone == null ? null : gone.series.get();
        if (held != null) {
            series.put(labels, held);
        }
        return held;
    }

    /** Labels of what was dropped and something has happened in since. What nobody has any more is forgotten. */
    synchronized List<Labels> stirred() {
        dropped.values().removeIf(gone -> gone.series.refersTo(null));
        return dropped.entrySet().stream()
                .filter(entry -> {
                    T held = entry.getValue().series.get();
                    return held != null && held.activity() != entry.getValue().activity;
                })
                .map(Map.Entry::getKey)
                .toList();
    }

    void render(StringBuilder out) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        series.forEach((labels, value) -> value.render(name, labelNames, labels, out));
    }
}
