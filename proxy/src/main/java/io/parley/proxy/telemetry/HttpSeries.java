package io.parley.proxy.telemetry;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The numbers of one route. Looked up once, then only added to. */
public final class HttpSeries {
    private static final int STATUSES = 600;
    private static final int CODES = 17;

    /** Finds the number of requests that ended so; a code of gRPC below 0 is none. */
    interface Ends {
        Count of(int status, int grpc);
    }

    private final Count requests;
    private final Histogram duration;
    private final Ends ends;
    private final AtomicReferenceArray<@Nullable Count> statuses = new AtomicReferenceArray<>(STATUSES);
    private final AtomicReferenceArray<@Nullable Count> codes = new AtomicReferenceArray<>(CODES);

    HttpSeries(Count requests, Histogram duration, Ends ends) {
        this.requests = requests;
        this.duration = duration;
        this.ends = ends;
    }

    public void started() {
        requests.increment();
    }

    /**
     * A request was answered so, after this time.
     *
     * @param status 0 if it was not answered
     * @param grpc what gRPC says of it; below 0 if it is no call of gRPC
     */
    public void ended(int status, int grpc, long nanos) {
        int of = status < 0 || status >= STATUSES ? 0 : status;
        if (grpc < 0 || grpc >= CODES) {
            known(statuses, of, of, -1).increment();
        } else if (of == 200) {
            known(codes, grpc, of, grpc).increment();
        } else {
            ends.of(of, grpc).increment();
        }
        duration.observe(nanos);
    }

    private Count known(AtomicReferenceArray<@Nullable Count> counts, int index, int status, int grpc) {
        Count known = counts.get(index);
        if (known == null) {
            known = ends.of(status, grpc);
            counts.set(index, known);
        }
        return known;
    }
}
