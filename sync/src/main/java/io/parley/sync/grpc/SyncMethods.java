package io.parley.sync.grpc;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;
import io.parley.wire.sync.proto.HandshakeRequest;
import io.parley.wire.sync.proto.HandshakeResponse;
import io.parley.wire.sync.proto.ZoneHealthCheckRequest;
import io.parley.wire.sync.proto.ZoneHealthCheckResponse;
import io.parley.xds.server.Marshallers;
import io.parley.xds.server.session.EncodedResponse;
import java.util.List;

/** The methods that zones call. All streams are of bytes: they are read where a bad message can be refused. */
public final class SyncMethods {
    /** As Kuma shipped it. */
    public static final String SYNC_SERVICE = "kuma.mesh.v1alpha1.KDSSyncService";

    /** Where the design document puts both streams; besides, handshake and health. */
    public static final String GLOBAL_SERVICE = "kuma.mesh.v1alpha1.GlobalKDSService";

    /** Version 1. */
    public static final String MULTIPLEX_SERVICE = "kuma.mesh.v1alpha1.MultiplexService";

    public static final String GLOBAL_TO_ZONE = "GlobalToZoneSync";
    public static final String ZONE_TO_GLOBAL = "ZoneToGlobalSync";
    public static final String STREAM_MESSAGE = "StreamMessage";

    /** The document writes it small, and methods are written large elsewhere: both are served. */
    public static final List<String> HANDSHAKES = List.of("Handshake", "handshake");

    private SyncMethods() {}

    /** A stream on which this side, as server, answers requests. */
    public static MethodDescriptor<byte[], EncodedResponse> serverSends(String service, String method) {
        return stream(service, method, Marshallers.BYTES, Marshallers.RESPONSE);
    }

    /** A stream on which this side, as client, answers requests. */
    public static MethodDescriptor<EncodedResponse, byte[]> clientSends(String service, String method) {
        return stream(service, method, Marshallers.RESPONSE, Marshallers.BYTES);
    }

    public static MethodDescriptor<byte[], byte[]> bytes(String service, String method) {
        return stream(service, method, Marshallers.BYTES, Marshallers.BYTES);
    }

    public static MethodDescriptor<HandshakeRequest, HandshakeResponse> handshake(String method) {
        return unary(method, HandshakeRequest.getDefaultInstance(), HandshakeResponse.getDefaultInstance());
    }

    public static MethodDescriptor<ZoneHealthCheckRequest, ZoneHealthCheckResponse> healthCheck() {
        return unary(
                "HealthCheck",
                ZoneHealthCheckRequest.getDefaultInstance(),
                ZoneHealthCheckResponse.getDefaultInstance());
    }

    private static <Q, A> MethodDescriptor<Q, A> stream(
            String service, String method, Marshaller<Q> request, Marshaller<A> answer) {
        return MethodDescriptor.newBuilder(request, answer)
                .setType(MethodType.BIDI_STREAMING)
                .setFullMethodName(service + '/' + method)
                .build();
    }

    private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> unary(
            String method, Q request, A answer) {
        return MethodDescriptor.<Q, A>newBuilder()
                .setType(MethodType.UNARY)
                .setFullMethodName(GLOBAL_SERVICE + '/' + method)
                .setRequestMarshaller(marshaller(request))
                .setResponseMarshaller(marshaller(answer))
                .build();
    }

    private static <M extends Message> Marshaller<M> marshaller(M message) {
        return ProtoUtils.marshaller(message);
    }
}
