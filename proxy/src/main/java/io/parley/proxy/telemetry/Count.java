package io.parley.proxy.telemetry;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** A number that is added to from any thread without contention and without allocation. */
public final class Count implements Family.Series {
    private final LongAdder value = new LongAdder();

    public void increment() {
        value.increment();
    }

    public void decrement() {
        value.decrement();
    }

    public void add(long amount) {
        value.add(amount);
    }

    public long value() {
        return value.sum();
    }

    @Override
    public long activity() {
        return value.sum();
    }

    @Override
    public void render(String name, List<String> labelNames, Labels labels, StringBuilder out) {
        out.append(name)
                .append(labels.render(labelNames, ""))
                .append(' ')
                .append(value.sum())
                .append('\n');
    }
}
