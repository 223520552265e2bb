package io.parley.proxy.account;

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
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.trace.v1.Span;
import io.parley.link.server.AcceptLoops;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A collector of OpenTelemetry's protocol and of Zipkin's, which may refuse. */
final class FakeCollector implements AutoCloseable {
    final List<Span> spans = new CopyOnWriteArrayList<>();
    final List<LogRecord> records = new CopyOnWriteArrayList<>();
    final List<String> documents = new CopyOnWriteArrayList<>();
    final AtomicInteger refusals = new AtomicInteger();

    private final Server server = Server.builder()
            .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
            .bossGroupFactory(AcceptLoops::named)
            .meterRegistry(NoopMeterRegistry.get())
            .service(
                    "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
                    (_, request) -> HttpResponse.of(request.aggregate().thenApply(this::traces)))
            .service(
                    "/opentelemetry.proto.collector.logs.v1.LogsService/Export",
                    (_, request) -> HttpResponse.of(request.aggregate().thenApply(this::logs)))
            .service(
                    "/api/v2/spans",
                    (_, request) -> HttpResponse.of(request.aggregate().thenApply(whole -> {
                        documents.add(whole.contentUtf8());
                        return HttpResponse.of(HttpStatus.ACCEPTED);
                    })))
            .build();

    private final int port;

    FakeCollector() {
        server.start().join();
        port = server.activeLocalPort();
    }

    int port() {
        return port;
    }

    private HttpResponse traces(AggregatedHttpRequest request) {
        if (refusals.getAndDecrement() > 0) {
            return answer("14");
        }
        try {
            ExportTraceServiceRequest.parseFrom(message(request))
                    .getResourceSpansList()
                    .forEach(resource ->
                            resource.getScopeSpansList().forEach(scope -> spans.addAll(scope.getSpansList())));
            return answer("0");
        } catch (InvalidProtocolBufferException e) {
            return answer("13");
        }
    }

    private HttpResponse logs(AggregatedHttpRequest request) {
        try {
            ExportLogsServiceRequest.parseFrom(message(request))
                    .getResourceLogsList()
                    .forEach(resource ->
                            resource.getScopeLogsList().forEach(scope -> records.addAll(scope.getLogRecordsList())));
            return answer("0");
        } catch (InvalidProtocolBufferException e) {
            return answer("13");
        }
    }

    /** Without the five bytes that gRPC puts before it. */
    private static byte[] message(AggregatedHttpRequest request) {
        byte[] frame = request.content().array();
        return Arrays.copyOfRange(frame, 5, frame.length);
    }

    private static HttpResponse answer(String grpcStatus) {
        ResponseHeaders head = ResponseHeaders.builder(HttpStatus.OK)
                .contentType(MediaType.parse("application/grpc"))
                .build();
        return HttpResponse.of(head, HttpData.wrap(new byte[5]), HttpHeaders.of("grpc-status", grpcStatus));
    }

    @Override
    public void close() {
        server.stop().join();
    }
}
