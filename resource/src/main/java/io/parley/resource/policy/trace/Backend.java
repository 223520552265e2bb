package io.parley.resource.policy.trace;

import io.parley.resource.policy.Addresses;
import io.parley.resource.policy.BackendResource;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where traces go. */
public sealed interface Backend {
    /** To Zipkin or what takes its format. */
    record Zipkin(
            String url,
            boolean traceId128bit,
            String apiVersion,
            @Nullable Boolean sharedSpanContext) implements Backend {}

    /** To a Datadog agent. */
    record Datadog(String url, boolean splitService) implements Backend {}

    /** To a collector: an address, or a resource that knows it. */
    record OpenTelemetry(
            @Nullable String endpoint, @Nullable BackendResource backendRef) implements Backend {}

    /** Which of them. */
    enum Type {
        ZIPKIN("zipkin"),
        DATADOG("datadog"),
        OPEN_TELEMETRY("openTelemetry");

        private final String field;

        Type(String field) {
            this.field = field;
        }
    }

    List<String> ZIPKIN_VERSIONS = List.of("httpJson", "httpProto", "httpJsonV1");

    static Backend read(Fields fields) {
        return fields.requireByType(Choices.camelCase(Type.class), type -> type.field, (type, inner) -> switch (type) {
            case ZIPKIN -> zipkin(inner);
            case DATADOG ->
                new Datadog(
                        inner.at("url").requireText("http://host:port and nothing more", Addresses::isBareHttpUrl),
                        inner.at("splitService").flagOr(false));
            case OPEN_TELEMETRY -> openTelemetry(inner);
        });
    }

    private static Zipkin zipkin(Fields fields) {
        String apiVersion =
                fields.at("apiVersion").text("one of " + String.join(", ", ZIPKIN_VERSIONS), ZIPKIN_VERSIONS::contains);
        return new Zipkin(
                fields.at("url").requireText("an http or https URL", Addresses::isHttpUrl),
                fields.at("traceId128bit").flagOr(false),
                apiVersion == null ? ZIPKIN_VERSIONS.getFirst() : apiVersion,
                fields.at("sharedSpanContext").flag());
    }

    private static OpenTelemetry openTelemetry(Fields fields) {
        var _ = fields.needOneOf("endpoint", "backendRef");
        return new OpenTelemetry(
                fields.at("endpoint")
                        .text(
                                "host:port, or an http or https URL",
                                text -> Addresses.isHostAndPort(text) || Addresses.isHttpUrl(text)),
                fields.at("backendRef").object(BackendResource::read));
    }
}
