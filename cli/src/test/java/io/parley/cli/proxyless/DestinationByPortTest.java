package io.parley.cli.proxyless;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.parley.wire.destination.proto.DestinationProfile;
import io.parley.wire.destination.proto.GetDestination;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The destination service where proxies find it: on the machines' port, by TLS and with a token. */
class DestinationByPortTest {
    private static final MethodDescriptor<GetDestination, DestinationProfile> GET_PROFILE =
            MethodDescriptor.<GetDestination, DestinationProfile>newBuilder()
                    .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                    .setFullMethodName("io.linkerd.proxy.destination.Destination/GetProfile")
                    .setRequestMarshaller(ProtoUtils.marshaller(GetDestination.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(DestinationProfile.getDefaultInstance()))
                    .build();

    @Test
    void anAddressIsKnownInTheCallersMeshAndNobodyAsksWithoutAToken(@TempDir Path folder) throws Exception {
        try (MixedMesh mesh = new MixedMesh(folder)) {
            mesh.apply(dataplane("default", "mail-1", "10.0.0.1") + """
                ---
                type: Mesh
                name: other
                """);
            mesh.apply(dataplane("other", "mail-2", "10.0.0.2"));
            ManagedChannel channel = Grpc.newChannelBuilder(
                            "localhost:" + mesh.machinePort(),
                            TlsChannelCredentials.newBuilder()
                                    .trustManager(mesh.caFile().toFile())
                                    .build())
                    .build();
            try {
                String token = Files.readString(mesh.token("mail-1"));
                assertThat(profile(channel, token, "10.0.0.1:25").getOpaqueProtocol())
                        .isTrue();
                // The model follows what is stored.
                await().until(() ->
                        profile(channel, token, "10.0.0.1:25").getEndpoint().hasTlsIdentity());
                assertThat(profile(channel, token, "10.0.0.2:25").getEndpoint().hasTlsIdentity())
                        .as("of another mesh")
                        .isFalse();
                assertThatThrownBy(() -> profile(channel, "nonsense", "10.0.0.1:25"))
                        .isInstanceOf(StatusRuntimeException.class)
                        .extracting(failure -> Status.fromThrowable(failure).getCode())
                        .isEqualTo(Status.Code.UNAUTHENTICATED);
            } finally {
                channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
            }
        }
    }

    private static DestinationProfile profile(ManagedChannel channel, String token, String address) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        return ClientCalls.blockingServerStreamingCall(
                        io.grpc.ClientInterceptors.intercept(
                                channel, MetadataUtils.newAttachHeadersInterceptor(headers)),
                        GET_PROFILE,
                        CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS),
                        GetDestination.newBuilder().setPath(address).build())
                .next();
    }

    private static String dataplane(String mesh, String name, String address) {
        return """
            ---
            type: Dataplane
            mesh: %s
            name: %s
            networking:
              address: %s
              inbound: [{port: 25, tags: {kuma.io/service: mail}}]
            """.formatted(mesh, name, address);
    }
}
