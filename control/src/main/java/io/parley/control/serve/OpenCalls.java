package io.parley.control.serve;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Status;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** The gRPC calls that machines have open, many of them for days, each with what let it in. */
final class OpenCalls {
    private static final Status WITHDRAWN = Status.UNAUTHENTICATED.withDescription("the token was withdrawn");

    private final Map<ServiceRequestContext, BooleanSupplier> open = new ConcurrentHashMap<>();

    void add(ServiceRequestContext call, BooleanSupplier holds) {
        open.put(call, holds);
        var _ = call.log().whenComplete().thenRun(() -> open.remove(call));
    }

    /** Ends the calls whose token was withdrawn. May block. */
    void review() {
        open.forEach((call, holds) -> {
            if (!holds.getAsBoolean()) {
                call.cancel(WITHDRAWN.asRuntimeException());
            }
        });
    }
}
