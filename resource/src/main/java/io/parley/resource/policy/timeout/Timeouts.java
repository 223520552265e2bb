package io.parley.resource.policy.timeout;

import static io.parley.resource.read.DurationRange.ABOVE_ZERO;
import static io.parley.resource.read.DurationRange.NOT_NEGATIVE;

import io.parley.resource.policy.TargetKind;
import io.parley.resource.policy.TargetRef;
import io.parley.resource.read.Fields;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a MeshTimeout sets; null leaves a value to less specific policies. */
public record Timeouts(
        @Nullable Duration connectionTimeout,
        @Nullable Duration idleTimeout,
        @Nullable Http http) {
    /** Timeouts of HTTP; 0 turns one off. */
    public record Http(
            @Nullable Duration requestTimeout,
            @Nullable Duration streamIdleTimeout,
            @Nullable Duration maxStreamDuration,
            @Nullable Duration maxConnectionDuration,
            @Nullable Duration requestHeadersTimeout) {
        private static Http read(Fields fields, boolean ofRoute) {
            fields.needAnyOf(
                    "requestTimeout",
                    "streamIdleTimeout",
                    "maxStreamDuration",
                    "maxConnectionDuration",
                    "requestHeadersTimeout");
            if (ofRoute) {
                fields.refuse("maxStreamDuration", OF_CONNECTIONS);
                fields.refuse("maxConnectionDuration", OF_CONNECTIONS);
            }
            return new Http(
                    fields.at("requestTimeout").duration(NOT_NEGATIVE),
                    fields.at("streamIdleTimeout").duration(NOT_NEGATIVE),
                    fields.at("maxStreamDuration").duration(NOT_NEGATIVE),
                    fields.at("maxConnectionDuration").duration(NOT_NEGATIVE),
                    fields.at("requestHeadersTimeout").duration(NOT_NEGATIVE));
        }
    }

    private static final String OF_CONNECTIONS = "a MeshHTTPRoute picks requests, this is for whole connections";

    static Timeouts read(Fields fields, TargetRef top, TargetRef item) {
        boolean ofRoute = top.kind() == TargetKind.MESH_HTTP_ROUTE || item.kind() == TargetKind.MESH_HTTP_ROUTE;
        fields.needAnyOf("connectionTimeout", "idleTimeout", "http");
        if (ofRoute) {
            fields.refuse("connectionTimeout", OF_CONNECTIONS);
            fields.refuse("idleTimeout", OF_CONNECTIONS);
        }
        return new Timeouts(
                fields.at("connectionTimeout").duration(ABOVE_ZERO),
                fields.at("idleTimeout").duration(NOT_NEGATIVE),
                fields.at("http").object(http -> Http.read(http, ofRoute)));
    }
}
