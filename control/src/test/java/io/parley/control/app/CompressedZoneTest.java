package io.parley.control.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.parley.sync.grpc.SyncHeaders;
import io.parley.sync.grpc.SyncMethods;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kuma's zones compress what they send. */
class CompressedZoneTest {
    @Test
    void case15_aStreamInGzipIsReadOnTheMachinesPort(@TempDir Path folder) throws Exception {
        try (Federated planes = new Federated(folder)) {
            ControlPlane global = planes.global();
            ManagedChannel channel = Grpc.newChannelBuilderForAddress(
                            "127.0.0.1",
                            global.machinePort(),
                            TlsChannelCredentials.newBuilder()
                                    .trustManager(global.caFile().toFile())
                                    .build())
                    .build();
            try {
                String token = Federated.token(planes.send(global, "POST", "/tokens/zone", "{\"zone\":\"zone-1\"}"));
                assertThat(answer(channel, token).getTypeUrl()).isEqualTo("Mesh");
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private static DeltaDiscoveryResponse answer(ManagedChannel channel, String token) throws Exception {
        Metadata headers = new Metadata();
        headers.put(SyncHeaders.AUTHORIZATION, "Bearer " + token);
        headers.put(SyncHeaders.CLIENT_ID, "zone-1");
        ClientCall<byte[], byte[]> call = channel.newCall(
                SyncMethods.bytes(SyncMethods.SYNC_SERVICE, SyncMethods.GLOBAL_TO_ZONE),
                CallOptions.DEFAULT.withCompression("gzip"));
        CompletableFuture<byte[]> first = new CompletableFuture<>();
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(byte[] message) {
                        first.complete(message);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        first.completeExceptionally(status.asException());
                    }
                },
                headers);
        call.setMessageCompression(true);
        call.sendMessage(DeltaDiscoveryRequest.newBuilder()
                .setNode(Node.newBuilder().setId("zone-1"))
                .setTypeUrl("Mesh")
                .addResourceNamesSubscribe("*")
                .build()
                .toByteArray());
        call.request(1);
        return DeltaDiscoveryResponse.parseFrom(first.get(30, TimeUnit.SECONDS));
    }
}
