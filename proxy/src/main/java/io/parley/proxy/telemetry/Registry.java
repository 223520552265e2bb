package io.parley.proxy.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** All metrics there are, whatever they are about: it makes them, drops series in which nothing happens, and writes them out. */
final class Registry {
    private final List<Family<?>> families = new ArrayList<>();
    private final List<Census> censuses = new CopyOnWriteArrayList<>();
    private final Map<String, LongSupplier> gauges = new ConcurrentHashMap<>();
    private final List<Runnable> afterTidying = new ArrayList<>();
    private final Upkeep upkeep;

    /** Numbers of one metric that are looked up when they are asked for, by the values of its labels. */
    private record Census(
            String name, String type, String help, List<String> labels, Supplier<Map<List<String>, Long>> values) {
        private void render(StringBuilder out) {
            out.append("# HELP ").append(name).append(' ').append(help).append('\n');
            out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
            values.get().entrySet().stream().limit(Family.MAX_SERIES).forEach(one -> {
                Count value = new Count();
                value.add(one.getValue());
                value.render(name, labels, new Labels(one.getKey()), out);
            });
        }
    }

    /**
     * @param ticker nanoseconds, by which series grow idle
     */
    Registry(LongSupplier ticker) {
        upkeep = new Upkeep(ticker);
    }

    Family<Count> counter(String name, String help, List<String> labels) {
        return register(new Family<>(name, Family.COUNTER, help, labels, Count::new));
    }

    Family<Count> gauge(String name, String help, List<String> labels) {
        return register(new Family<>(name, Family.GAUGE, help, labels, Count::new));
    }

    Family<Histogram> histogram(String name, String help, List<String> labels) {
        return register(new Family<>(name, Family.HISTOGRAM, help, labels, Histogram::new));
    }

    private <T extends Family.Series> Family<T> register(Family<T> family) {
        families.add(family);
        return family;
    }

    /** A number that is looked up when it is asked for. */
    void gauge(String name, LongSupplier value) {
        gauges.put(name, value);
    }

    /** Numbers that are looked up when they are asked for: what there is now has a series, and what is gone has none. */
    void gauges(String name, String help, List<String> labels, Supplier<Map<List<String>, Long>> values) {
        censuses.add(new Census(name, Family.GAUGE, help, List.copyOf(labels), values));
    }

    /** The same for numbers that only grow. */
    void counters(String name, String help, List<String> labels, Supplier<Map<List<String>, Long>> values) {
        censuses.add(new Census(name, Family.COUNTER, help, List.copyOf(labels), values));
    }

    /** Has series of these families, whose labels are the same, dropped when they are idle. For labels that come and go. */
    void dropIdle(Family<?>... kin) {
        upkeep.add(List.of(kin));
        for (Family<?> family : kin) {
            family.whenFull(this::tidy);
        }
    }

    /** To be run when series may have been dropped. */
    void afterTidying(Runnable task) {
        afterTidying.add(task);
    }

    private void tidy() {
        if (upkeep.run()) {
            afterTidying.forEach(Runnable::run);
        }
    }

    /** Everything in Prometheus' text format 0.0.4. */
    String render() {
        tidy();
        StringBuilder out = new StringBuilder(8_192);
        families.forEach(family -> family.render(out));
        censuses.forEach(census -> census.render(out));
        gauges.forEach((name, value) -> out.append("# TYPE ")
                .append(name)
                .append(" gauge\n")
                .append(name)
                .append(' ')
                .append(value.getAsLong())
                .append('\n'));
        return out.toString();
    }
}
