package io.parley.proxy.trace;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status;
import java.nio.ByteBuffer;
import java.util.List;

/** Spans in the words of OpenTelemetry's protocol. */
public final class OtlpSpans {
    public static final String METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";

    private OtlpSpans() {}

    public static ExportTraceServiceRequest request(String service, List<Span> spans) {
        ScopeSpans.Builder scope = ScopeSpans.newBuilder()
                .setScope(InstrumentationScope.newBuilder().setName("parley"));
        spans.forEach(span -> scope.addSpans(span(span)));
        return ExportTraceServiceRequest.newBuilder()
                .addResourceSpans(ResourceSpans.newBuilder()
                        .setResource(Resource.newBuilder().addAttributes(attribute("service.name", service)))
                        .addScopeSpans(scope))
                .build();
    }

    /** A text or a number with its name. */
    public static KeyValue attribute(String name, Object value) {
        AnyValue.Builder any = AnyValue.newBuilder();
        if (value instanceof Long number) {
            any.setIntValue(number);
        } else {
            any.setStringValue(value.toString());
        }
        return KeyValue.newBuilder().setKey(name).setValue(any).build();
    }

    private static io.opentelemetry.proto.trace.v1.Span span(Span span) {
        TraceContext context = span.context();
        var out = io.opentelemetry.proto.trace.v1.Span.newBuilder()
                .setTraceId(bytes(context.high(), context.low()))
                .setSpanId(bytes(context.span()))
                .setName(span.name())
                .setKind(span.kind() == Span.Kind.CLIENT ? SpanKind.SPAN_KIND_CLIENT : SpanKind.SPAN_KIND_SERVER)
                .setStartTimeUnixNano(span.start())
                .setEndTimeUnixNano(span.end());
        if (span.parent() != 0) {
            out.setParentSpanId(bytes(span.parent()));
        }
        span.attributes().forEach((name, value) -> out.addAttributes(attribute(name, value)));
        if (span.outcome() == Span.Outcome.ERROR) {
            out.setStatus(Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR));
        }
        return out.build();
    }

    private static ByteString bytes(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return ByteString.copyFrom(bytes.flip());
    }
}
