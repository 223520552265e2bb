package io.parley.bench.xds;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.netty.util.concurrent.EventExecutorGroup;
import io.parley.xds.server.Marshallers;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * No control plane, but what gRPC by itself costs: each delta request is taken, the first of a type answered, and a change sends every
 * stream the same prepared bytes, from the thread of the change.
 */
final class BareGrpcSubject implements Subject {
    private static final MethodDescriptor<byte[], byte[]> METHOD = MethodDescriptor.newBuilder(
                    Marshallers.BYTES, Marshallers.BYTES)
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName("envoy.service.discovery.v3.AggregatedDiscoveryService/" + Variant.DELTA.method)
            .build();

    private final Set<ServerCall<byte[], byte[]>> calls = ConcurrentHashMap.newKeySet();

    @Override
    public void register(NettyServerBuilder server, EventExecutorGroup loops) {
        server.addService(ServerServiceDefinition.builder("envoy.service.discovery.v3.AggregatedDiscoveryService")
                .addMethod(METHOD, (call, _) -> {
                    call.sendHeaders(new Metadata());
                    call.request(1);
                    calls.add(call);
                    return new Listener(call);
                })
                .build());
    }

    @Override
    public void change(int cluster, int port) {
        byte[] answer = answer(Any.pack(Resources.endpoints(Resources.name(cluster), port)));
        for (ServerCall<byte[], byte[]> call : calls) {
            call.sendMessage(answer);
        }
    }

    private static byte[] answer(Any resource) {
        return DeltaDiscoveryResponse.newBuilder()
                .setSystemVersionInfo("1234567890abcdef")
                .setTypeUrl(resource.getTypeUrl())
                .setNonce("1")
                .addResources(Resource.newBuilder()
                        .setName("name")
                        .setVersion("1234567890abcdef")
                        .setResource(resource))
                .build()
                .toByteArray();
    }

    private final class Listener extends ServerCall.Listener<byte[]> {
        private final ServerCall<byte[], byte[]> call;

        Listener(ServerCall<byte[], byte[]> call) {
            this.call = call;
        }

        @Override
        public void onMessage(byte[] bytes) {
            try {
                DeltaDiscoveryRequest request = DeltaDiscoveryRequest.parseFrom(bytes);
                if (request.getResponseNonce().isEmpty()) {
                    call.sendMessage(answer(
                            Any.newBuilder().setTypeUrl(request.getTypeUrl()).build()));
                }
                call.request(1);
            } catch (InvalidProtocolBufferException e) {
                call.close(Status.INVALID_ARGUMENT.withDescription(e.getMessage()), new Metadata());
            }
        }

        @Override
        public void onCancel() {
            calls.remove(call);
        }
    }
}
