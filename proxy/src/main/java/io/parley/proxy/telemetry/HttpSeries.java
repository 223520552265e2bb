package io.parley.proxy.telemetry;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The numbers of one route. Looked up once, then only added to. */
public final class HttpSeries {
    private static final int STATUSES = 600;

    private final Count requests;
    private final Histogram duration;
    private final IntFunction<Count> newStatus;
    private final AtomicReferenceArray<@Nullable Count> statuses = new AtomicReferenceArray<>(STATUSES);

    HttpSeries(Count requests, Histogram duration, IntFunction<Count> newStatus) {
        this.requests = requests;
        this.duration = duration;
        this.newStatus = newStatus;
    }

    public void started() {
        requests.increment();
    }

    /** A request was answered so, after this time; 0 if it was not answered. */
    public void ended(int status, long nanos) {
        int index = status < 0 || status >= STATUSES ? 0 : status;
        Count known = statuses.get(index);
        if (known == null) {
            known = newStatus.apply(index);
            statuses.set(index, known);
        }
        known.increment();
        duration.observe(nanos);
    }
}
