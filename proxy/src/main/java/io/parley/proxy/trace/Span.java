package io.parley.proxy.trace;

import java.util.Map;

/**
 * What one proxy did with one request, when it is over.
 *
 * @param parent the number of the span above; 0 if there is none
 * @param name with few different values: the method
 * @param start nanoseconds since 1970
 * @param attributes texts and {@code Long}s, by the names of OpenTelemetry's conventions
 */
public record Span(
        TraceContext context,
        long parent,
        Kind kind,
        String name,
        long start,
        long end,
        Map<String, Object> attributes,
        Outcome outcome) {
    /** Which side of the request the proxy stands on. */
    public enum Kind {
        /** Beside the one who asks. */
        CLIENT,

        /** Beside the one who answers. */
        SERVER
    }

    /** How it ended. */
    public enum Outcome {
        UNREMARKABLE,
        ERROR
    }
}
