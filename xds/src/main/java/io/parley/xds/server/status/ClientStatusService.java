package io.parley.xds.server.status;

import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.parley.xds.server.XdsServer;
import io.parley.xds.type.ApiVersion;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Tells which client holds what, by names and versions; never the resources themselves, which may be secrets. Whoever binds it must let
 * only administrators in.
 */
public final class ClientStatusService {
    /** What gRPC clients take unless told otherwise. */
    public static final int MAX_ANSWER_BYTES = 4 * 1024 * 1024;

    private static final Status UNSUPPORTED = Status.INVALID_ARGUMENT.withDescription(
            "node_matchers: only node_id by exact, prefix, suffix or contains is supported");

    private final XdsServer server;
    private final Clock clock;
    private final int maxBytes;

    public ClientStatusService(XdsServer server, Clock clock) {
        this(server, clock, MAX_ANSWER_BYTES);
    }

    /**
     * @param maxBytes of an answer; what one client has is always told
     */
    public ClientStatusService(XdsServer server, Clock clock, int maxBytes) {
        this.server = server;
        this.clock = clock;
        this.maxBytes = maxBytes;
    }

    /** The service under its v2 and its v3 name; fields have the same numbers in both. */
    public List<ServerServiceDefinition> services() {
        return List.of(
                service("envoy.service.status.v2.ClientStatusDiscoveryService", ApiVersion.V2),
                service("envoy.service.status.v3.ClientStatusDiscoveryService", ApiVersion.V3));
    }

    private ServerServiceDefinition service(String name, ApiVersion api) {
        return ServerServiceDefinition.builder(name)
                .addMethod(
                        method(name + "/StreamClientStatus", MethodType.BIDI_STREAMING),
                        ServerCalls.asyncBidiStreamingCall(answers -> new Conversation(answers, api)))
                .addMethod(
                        method(name + "/FetchClientStatus", MethodType.UNARY),
                        ServerCalls.asyncUnaryCall((request, answers) -> {
                            Conversation conversation = new Conversation(answers, api);
                            conversation.onNext(request);
                            conversation.onCompleted();
                        }))
                .build();
    }

    private static MethodDescriptor<ClientStatusRequest, ClientStatusResponse> method(String name, MethodType type) {
        return MethodDescriptor.newBuilder(
                        ProtoUtils.marshaller(ClientStatusRequest.getDefaultInstance()),
                        ProtoUtils.marshaller(ClientStatusResponse.getDefaultInstance()))
                .setType(type)
                .setFullMethodName(name)
                .build();
    }

    /** One answer after the other, and the end after the last: many a client ends its side as soon as it has asked. */
    private final class Conversation implements StreamObserver<ClientStatusRequest> {
        private final StreamObserver<ClientStatusResponse> answers;
        private final ApiVersion api;
        private CompletableFuture<Boolean> open = CompletableFuture.completedFuture(true);

        Conversation(StreamObserver<ClientStatusResponse> answers, ApiVersion api) {
            this.answers = answers;
            this.api = api;
        }

        @Override
        public void onNext(ClientStatusRequest request) {
            open = open.thenCompose(still -> still ? answer(request) : CompletableFuture.completedFuture(false));
        }

        @Override
        public void onError(Throwable cancelled) {}

        @Override
        public void onCompleted() {
            var _ = open.thenAccept(still -> {
                if (still) {
                    answers.onCompleted();
                }
            });
        }

        /** Whether the conversation may go on. */
        private CompletableFuture<Boolean> answer(ClientStatusRequest request) {
            List<NodeFilter> filters = new ArrayList<>();
            for (var matcher : request.getNodeMatchersList()) {
                Optional<NodeFilter> filter = NodeFilter.of(matcher);
                if (filter.isEmpty()) {
                    answers.onError(UNSUPPORTED.asRuntimeException());
                    return CompletableFuture.completedFuture(false);
                }
                filters.add(filter.get());
            }
            BoundedAnswer answer = new BoundedAnswer(filters, new ClientConfigs(clock.instant(), api), maxBytes);
            return server.tellStates(answer).thenApply(_ -> send(answer));
        }

        private boolean send(BoundedAnswer answer) {
            Optional<ClientStatusResponse> response = answer.response();
            if (response.isEmpty()) {
                answers.onError(Status.RESOURCE_EXHAUSTED
                        .withDescription("what these clients have is more than " + maxBytes
                                + " bytes: ask for fewer by node_matchers, such as a node_id by exact or prefix")
                        .asRuntimeException());
                return false;
            }
            answers.onNext(response.get());
            return true;
        }
    }
}
