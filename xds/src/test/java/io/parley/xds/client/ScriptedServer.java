package io.parley.xds.client;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.parley.xds.client.transport.RpcMethod;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A server over in-process gRPC that says only what the test tells it to say, and remembers what it heard. */
final class ScriptedServer implements AutoCloseable {
    private final List<Stream<?, ?>> streams = new ArrayList<>();
    private final Server server;

    private ScriptedServer(String name, List<RpcMethod<?, ?>> methods) {
        InProcessServerBuilder builder = InProcessServerBuilder.forName(name).directExecutor();
        Map<String, ServerServiceDefinition.Builder> services = new HashMap<>();
        for (RpcMethod<?, ?> method : methods) {
            String service = method.name().substring(0, method.name().indexOf('/'));
            services.computeIfAbsent(service, ServerServiceDefinition::builder).addMethod(definition(method));
        }
        services.values().forEach(service -> builder.addService(service.build()));
        server = builder.build();
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server that has all methods of these versions. */
    static ScriptedServer start(String name, ApiVersion... versions) {
        List<RpcMethod<?, ?>> methods = new ArrayList<>();
        for (ApiVersion version : versions.length == 0 ? ApiVersion.values() : versions) {
            methods.add(RpcMethod.sotw(version));
            methods.add(RpcMethod.delta(version));
            methods.add(RpcMethod.load(version));
        }
        return new ScriptedServer(name, methods);
    }

    private <Q extends Message, A extends Message> ServerMethodDefinition<Q, A> definition(RpcMethod<Q, A> method) {
        MethodDescriptor<Q, A> descriptor = MethodDescriptor.<Q, A>newBuilder()
                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                .setFullMethodName(method.name())
                .setRequestMarshaller(ProtoUtils.marshaller(method.request()))
                .setResponseMarshaller(ProtoUtils.marshaller(method.answer()))
                .build();
        return ServerMethodDefinition.create(descriptor, ServerCalls.asyncBidiStreamingCall(answers -> {
            Stream<Q, A> stream = new Stream<>(method.name(), (ServerCallStreamObserver<A>) answers);
            streams.add(stream);
            return stream;
        }));
    }

    int streamCount() {
        return streams.size();
    }

    /** The newest stream. */
    Stream<?, ?> stream() {
        return streams.getLast();
    }

    /** The newest stream, which carries the state of the world. */
    @SuppressWarnings("unchecked") // a test that is wrong about it fails
    Stream<DiscoveryRequest, DiscoveryResponse> sotw() {
        return (Stream<DiscoveryRequest, DiscoveryResponse>) stream();
    }

    /** The newest stream, whatever it carries. */
    @SuppressWarnings("unchecked") // a test that is wrong about it fails
    <Q, A> Stream<Q, A> streamOf(Class<Q> request, Class<A> answer) {
        return (Stream<Q, A>) streams.stream()
                .filter(stream -> request.isInstance(stream.requests().getFirst()))
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    static DiscoveryResponse answer(ResourceType type, String version, String nonce, Any... resources) {
        return answer(type.url(ApiVersion.V3), version, nonce, resources);
    }

    static DiscoveryResponse answer(String typeUrl, String version, String nonce, Any... resources) {
        return DiscoveryResponse.newBuilder()
                .setTypeUrl(typeUrl)
                .setVersionInfo(version)
                .setNonce(nonce)
                .addAllResources(List.of(resources))
                .build();
    }

    /** One stream as the server sees it. */
    static final class Stream<Q, A> implements StreamObserver<Q> {
        private final String method;
        private final ServerCallStreamObserver<A> answers;
        private final List<Q> requests = new ArrayList<>();
        private boolean ended;

        Stream(String method, ServerCallStreamObserver<A> answers) {
            this.method = method;
            this.answers = answers;
            answers.setOnCancelHandler(() -> ended = true);
        }

        String method() {
            return method;
        }

        List<Q> requests() {
            return requests;
        }

        Q last() {
            return requests.getLast();
        }

        boolean hasEnded() {
            return ended;
        }

        boolean isReady() {
            return answers.isReady();
        }

        void send(A answer) {
            answers.onNext(answer);
        }

        void end() {
            answers.onCompleted();
        }

        void fail(Status status) {
            answers.onError(status.asRuntimeException());
        }

        @Override
        public void onNext(Q request) {
            requests.add(request);
        }

        @Override
        public void onError(Throwable error) {
            ended = true;
        }

        @Override
        public void onCompleted() {
            ended = true;
        }
    }
}
