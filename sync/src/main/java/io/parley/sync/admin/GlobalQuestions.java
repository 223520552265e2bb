package io.parley.sync.admin;

import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import io.parley.sync.grpc.SyncHeaders;
import io.parley.wire.sync.proto.AdminRequest;
import io.parley.wire.sync.proto.AdminResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * What global control planes of one store ask each other: a zone is connected to one of them, and people ask another (case 48). Which zone
 * is meant is said in headers, the question itself as zones are asked.
 */
public final class GlobalQuestions {
    private static final String SERVICE = "parley.sync.v1.GlobalQuestions";
    private static final Metadata.Key<String> ZONE = Metadata.Key.of("zone", Metadata.ASCII_STRING_MARSHALLER);

    /** Control planes of one store have one authority, and each a certificate with this name among others. */
    private static final String ANY_OF_US = "localhost";

    private GlobalQuestions() {}

    /** The service for others; only a control plane's or an administrator's calls may get as far as this. */
    public static ServerServiceDefinition service(Function<ZoneQuestion, CompletableFuture<Answer>> zones) {
        ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(SERVICE);
        for (Question.Topic topic : Question.Topic.values()) {
            service.addMethod(
                    method(topic),
                    (call, headers) -> ServerCalls.<AdminRequest, AdminResponse>asyncUnaryCall((request, answer) -> {
                                var _ = zones.apply(new ZoneQuestion(
                                                SyncHeaders.text(headers, SyncHeaders.TENANT),
                                                SyncHeaders.text(headers, ZONE),
                                                Question.of(topic, request)))
                                        .thenAccept(found -> {
                                            answer.onNext(found.message(request.getRequestId()));
                                            answer.onCompleted();
                                        });
                            })
                            .startCall(call, headers));
        }
        return service.build();
    }

    /**
     * Asks the control plane to which a zone is connected. Blocks.
     *
     * @param address of the other, {@code HOST:PORT}
     * @param authority that vouches for it, as PEM
     * @param token that it lets in
     */
    public static Answer ask(String address, String authority, String token, ZoneQuestion asked, Duration patience) {
        ManagedChannel channel = channel(address, authority);
        try {
            Metadata headers = new Metadata();
            headers.put(SyncHeaders.AUTHORIZATION, "Bearer " + token);
            headers.put(SyncHeaders.TENANT, asked.tenant());
            headers.put(ZONE, asked.zone());
            return Answer.of(ClientCalls.blockingUnaryCall(
                    ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers)),
                    method(asked.question().topic()),
                    CallOptions.DEFAULT.withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS),
                    asked.question().message("")));
        } catch (StatusRuntimeException e) {
            Status status = e.getStatus();
            return new Answer.Failed("zone " + asked.zone() + " is connected to the global control plane at " + address
                    + ", which does not answer (" + status.getCode() + ": " + status.getDescription() + "): ask there");
        } finally {
            channel.shutdownNow();
        }
    }

    private static ManagedChannel channel(String address, String authority) {
        try {
            return Grpc.newChannelBuilder(
                            address,
                            TlsChannelCredentials.newBuilder()
                                    .trustManager(
                                            new ByteArrayInputStream(authority.getBytes(StandardCharsets.US_ASCII)))
                                    .build())
                    .overrideAuthority(ANY_OF_US)
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MethodDescriptor<AdminRequest, AdminResponse> method(Question.Topic topic) {
        return MethodDescriptor.<AdminRequest, AdminResponse>newBuilder()
                .setType(MethodType.UNARY)
                .setFullMethodName(SERVICE + '/' + topic.method())
                .setRequestMarshaller(ProtoUtils.marshaller(AdminRequest.getDefaultInstance()))
                .setResponseMarshaller(ProtoUtils.marshaller(AdminResponse.getDefaultInstance()))
                .build();
    }
}
