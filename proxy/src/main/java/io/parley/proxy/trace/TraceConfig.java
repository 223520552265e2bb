package io.parley.proxy.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are traced, and where spans go.
 *
 * @param service the name under which spans appear
 */
public record TraceConfig(Collector collector, String service, Sampling sampling, List<Tag> tags) {
    /** Who takes spans. */
    public sealed interface Collector {
        /** The name of its cluster. */
        String cluster();

        /** By gRPC, as OpenTelemetry has it. */
        record Otlp(String cluster) implements Collector {}

        /** By HTTP, in Zipkin's JSON, version 2. */
        record Zipkin(String cluster, String authority, String path) implements Collector {}
    }

    /**
     * Shares of the requests with which a trace begins, of a million. A trace that others have begun is whole or not at all: what they
     * decided holds.
     *
     * @param overall of those that would be traced otherwise
     * @param client of those that have {@code x-client-trace-id}
     * @param random of all others
     */
    public record Sampling(int overall, int client, int random) {
        public static final int ALL = 1_000_000;
        public static final Sampling EVERYTHING = new Sampling(ALL, ALL, ALL);
    }

    /** Something that is added to a span. */
    public sealed interface Tag {
        /** Always the same. */
        record Literal(String name, String value) implements Tag {}

        /**
         * What a field of the request says.
         *
         * @param absent what is said if it is not there; null for nothing
         */
        record Field(String name, String field, @Nullable String absent) implements Tag {}
    }

    public TraceConfig {
        tags = List.copyOf(tags);
    }
}
