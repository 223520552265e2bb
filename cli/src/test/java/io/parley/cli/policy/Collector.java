package io.parley.cli.policy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.server.Server;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.parley.link.server.AcceptLoops;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A collector of traces by OpenTelemetry's protocol. */
final class Collector implements AutoCloseable {
    /**
     * A span, its numbers in digits.
     *
     * @param service whose it is
     */
    record Seen(String service, String trace, String span, String parent, Span.SpanKind kind, Span all) {
        /** What an attribute says; empty if there is none. */
        String attribute(String name) {
            return all.getAttributesList().stream()
                    .filter(attribute -> attribute.getKey().equals(name))
                    .map(attribute -> attribute.getValue().getStringValue())
                    .findFirst()
                    .orElse("");
        }
    }

    final List<Seen> spans = new CopyOnWriteArrayList<>();

    private final Server server = Server.builder()
            .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
            .bossGroupFactory(AcceptLoops::named)
            .meterRegistry(NoopMeterRegistry.get())
            .service(
                    "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
                    (_, request) -> HttpResponse.of(request.aggregate().thenApply(this::take)))
            .build();

    Collector() {
        server.start().join();
    }

    int port() {
        return server.activeLocalPort();
    }

    private HttpResponse take(AggregatedHttpRequest request) {
        String status = "0";
        try {
            // Without the five bytes that gRPC puts before a message.
            ByteString message = ByteString.copyFrom(request.content().array()).substring(5);
            ExportTraceServiceRequest.parseFrom(message).getResourceSpansList().forEach(this::take);
        } catch (InvalidProtocolBufferException e) {
            status = "13";
        }
        ResponseHeaders head = ResponseHeaders.builder(HttpStatus.OK)
                .contentType(MediaType.parse("application/grpc"))
                .build();
        return HttpResponse.of(head, HttpData.wrap(new byte[5]), HttpHeaders.of("grpc-status", status));
    }

    private void take(ResourceSpans resource) {
        String service = resource.getResource().getAttributes(0).getValue().getStringValue();
        resource.getScopeSpansList()
                .forEach(scope -> scope.getSpansList()
                        .forEach(span -> spans.add(new Seen(
                                service,
                                hex(span.getTraceId()),
                                hex(span.getSpanId()),
                                hex(span.getParentSpanId()),
                                span.getKind(),
                                span))));
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    @Override
    public void close() {
        server.stop().join();
    }
}
