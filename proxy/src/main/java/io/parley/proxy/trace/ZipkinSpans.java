package io.parley.proxy.trace;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Spans in Zipkin's JSON, version 2. */
public final class ZipkinSpans {
    private static final HexFormat HEX = HexFormat.of();

    private ZipkinSpans() {}

    public static String list(String service, List<Span> spans) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        spans.forEach(span -> list.add(span(service, span)));
        return list.toString();
    }

    private static ObjectNode span(String service, Span span) {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        out.put("traceId", span.context().trace());
        out.put("id", HEX.toHexDigits(span.context().span()));
        if (span.parent() != 0) {
            out.put("parentId", HEX.toHexDigits(span.parent()));
        }
        out.put("kind", span.kind().name());
        out.put("name", span.name());
        out.put("timestamp", TimeUnit.NANOSECONDS.toMicros(span.start()));
        out.put("duration", Math.max(1, TimeUnit.NANOSECONDS.toMicros(span.end() - span.start())));
        out.putObject("localEndpoint").put("serviceName", service);
        ObjectNode tags = out.putObject("tags");
        span.attributes().forEach((name, value) -> tags.put(name, value.toString()));
        if (span.outcome() == Span.Outcome.ERROR) {
            tags.put("error", String.valueOf(span.attributes().getOrDefault("error.type", "true")));
        }
        return out;
    }
}
