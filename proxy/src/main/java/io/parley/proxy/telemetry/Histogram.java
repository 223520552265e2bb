package io.parley.proxy.telemetry;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** How long something took, counted in buckets. */
public final class Histogram implements Family.Series {
    private static final long[] BOUNDS_MICROS = {
        100,
        250,
        500,
        1_000,
        2_500,
        5_000,
        10_000,
        25_000,
        50_000,
        100_000,
        250_000,
        500_000,
        1_000_000,
        2_500_000,
        10_000_000
    };

    private final AtomicLongArray buckets = new AtomicLongArray(BOUNDS_MICROS.length + 1);
    private final LongAdder sumMicros = new LongAdder();

    public void observe(long nanos) {
        long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
        int bucket = 0;
        while (bucket < BOUNDS_MICROS.length && micros > BOUNDS_MICROS[bucket]) {
            bucket++;
        }
        buckets.incrementAndGet(bucket);
        sumMicros.add(micros);
    }

    @Override
    public long activity() {
        long total = 0;
        for (int i = 0; i <= BOUNDS_MICROS.length; i++) {
            total += buckets.get(i);
        }
        return total;
    }

    @Override
    public void render(String name, List<String> labelNames, Labels labels, StringBuilder out) {
        long total = 0;
        for (int i = 0; i <= BOUNDS_MICROS.length; i++) {
            total += buckets.get(i);
            String bound = i == BOUNDS_MICROS.length ? "+Inf" : String.valueOf(BOUNDS_MICROS[i] / 1e6);
            String rendered = labels.render(labelNames, "le=\"" + bound + "\"");
            out.append(name)
                    .append("_bucket")
                    .append(rendered)
                    .append(' ')
                    .append(total)
                    .append('\n');
        }
        String rendered = labels.render(labelNames, "");
        out.append(name)
                .append("_sum")
                .append(rendered)
                .append(' ')
                .append(sumMicros.sum() / 1e6)
                .append('\n');
        out.append(name)
                .append("_count")
                .append(rendered)
                .append(' ')
                .append(total)
                .append('\n');
    }
}
