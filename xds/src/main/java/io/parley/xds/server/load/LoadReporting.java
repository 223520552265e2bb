package io.parley.xds.server.load;

import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsResponse;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.parley.xds.server.NodeIdentity;
import io.parley.xds.server.ServerLimits;
import io.parley.xds.server.XdsServer;
import io.parley.xds.type.ApiVersion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Serves load reporting. Every client is asked for all of its clusters: a list of names is not safe, because grpc-js never reports the
 * first one of it.
 */
public final class LoadReporting {
    private static final int MAX_NODE_BYTES = ServerLimits.DEFAULT.nodeBytes();

    private final LoadReportSink sink;
    private final Duration interval;
    private final int maxStreams;
    private final AtomicInteger streams = new AtomicInteger();

    public LoadReporting(LoadReportSink sink, Duration interval, int maxStreams) {
        if (!interval.isPositive()) {
            throw new IllegalArgumentException("interval: " + interval + " (expected: more than nothing)");
        }
        this.sink = sink;
        this.interval = interval;
        this.maxStreams = maxStreams;
    }

    /** The service under its v2 and its v3 name. */
    public List<ServerServiceDefinition> services() {
        return List.of(
                service("envoy.service.load_stats.v2.LoadReportingService", ApiVersion.V2),
                service("envoy.service.load_stats.v3.LoadReportingService", ApiVersion.V3));
    }

    private ServerServiceDefinition service(String name, ApiVersion api) {
        MethodDescriptor<LoadStatsRequest, LoadStatsResponse> method = MethodDescriptor.newBuilder(
                        ProtoUtils.marshaller(LoadStatsRequest.getDefaultInstance()),
                        ProtoUtils.marshaller(LoadStatsResponse.getDefaultInstance()))
                .setType(MethodType.BIDI_STREAMING)
                .setFullMethodName(name + "/StreamLoadStats")
                .build();
        return ServerServiceDefinition.builder(name)
                .addMethod(method, ServerCalls.asyncBidiStreamingCall(answers -> open(answers, api)))
                .build();
    }

    private StreamObserver<LoadStatsRequest> open(StreamObserver<LoadStatsResponse> answers, ApiVersion api) {
        Optional<String> principal = Optional.ofNullable(XdsServer.PRINCIPAL.get());
        if (streams.incrementAndGet() > maxStreams) {
            streams.decrementAndGet();
            answers.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription("more than " + maxStreams + " load reports at once: try later")
                    .asRuntimeException());
            return new Ignored();
        }
        return new Reporter(answers, api, principal);
    }

    private LoadStatsResponse request() {
        return LoadStatsResponse.newBuilder()
                .setSendAllClusters(true)
                .setLoadReportingInterval(com.google.protobuf.Duration.newBuilder()
                        .setSeconds(interval.getSeconds())
                        .setNanos(interval.getNano()))
                .build();
    }

    /** One client. The first message only says who it is. */
    private final class Reporter implements StreamObserver<LoadStatsRequest> {
        private final StreamObserver<LoadStatsResponse> answers;
        private final ApiVersion api;
        private final Optional<String> principal;
        private @Nullable NodeIdentity node;
        private boolean refused;

        Reporter(StreamObserver<LoadStatsResponse> answers, ApiVersion api, Optional<String> principal) {
            this.answers = answers;
            this.api = api;
            this.principal = principal;
        }

        @Override
        public void onNext(LoadStatsRequest request) {
            if (refused) {
                return;
            }
            if (node == null) {
                int size = request.getNode().getSerializedSize();
                if (size > MAX_NODE_BYTES) {
                    refused = true;
                    answers.onError(Status.INVALID_ARGUMENT
                            .withDescription("node: " + size + " bytes (expected: at most " + MAX_NODE_BYTES + ")")
                            .asRuntimeException());
                    return;
                }
                node = NodeIdentity.of(request.getNode(), api, principal);
                answers.onNext(request());
            }
            if (request.getClusterStatsCount() > 0) {
                sink.report(node, request.getClusterStatsList());
            }
        }

        @Override
        public void onError(Throwable cancelled) {
            streams.decrementAndGet();
        }

        @Override
        public void onCompleted() {
            streams.decrementAndGet();
            answers.onCompleted();
        }
    }

    private static final class Ignored implements StreamObserver<LoadStatsRequest> {
        @Override
        public void onNext(LoadStatsRequest request) {}

        @Override
        public void onError(Throwable cancelled) {}

        @Override
        public void onCompleted() {}
    }
}
