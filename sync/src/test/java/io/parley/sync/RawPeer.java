package io.parley.sync;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.ListValue;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.rpc.Status;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.parley.sync.grpc.SyncHeaders;
import io.parley.sync.grpc.SyncMethods;
import io.parley.wire.sync.proto.KumaResource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A zone that speaks by hand, so that it can also speak as Kuma does, or badly. */
final class RawPeer implements AutoCloseable {
    static final String KUMA_RESOURCE = "type.googleapis.com/kuma.mesh.v1alpha1.KumaResource";

    final ManagedChannel channel;
    private final Metadata headers = new Metadata();

    RawPeer(int port, String zone, String... features) {
        channel = Grpc.newChannelBuilderForAddress("127.0.0.1", port, InsecureChannelCredentials.create())
                .maxInboundMessageSize(64 << 20)
                .build();
        if (!zone.isEmpty()) {
            headers.put(SyncHeaders.CLIENT_ID, zone);
        }
        headers.put(SyncHeaders.KDS_VERSION, "v3");
        headers.put(SyncHeaders.RELEASE, "2.9.0");
        for (String feature : features) {
            headers.put(SyncHeaders.FEATURES, feature);
        }
    }

    RawPeer with(String header, String value) {
        headers.put(Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER), value);
        return this;
    }

    /** Speaks as zones did before there were messages of version 3. */
    RawPeer ofVersion2() {
        headers.removeAll(SyncHeaders.KDS_VERSION);
        return this;
    }

    Metadata headers() {
        Metadata copy = new Metadata();
        copy.merge(headers);
        return copy;
    }

    Stream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> globalToZone() {
        return open(SyncMethods.SYNC_SERVICE, SyncMethods.GLOBAL_TO_ZONE, DeltaDiscoveryResponse.parser());
    }

    /** The same, and nothing is read unless somebody says so. */
    Stream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> globalToZoneUnread() {
        return start(
                SyncMethods.SYNC_SERVICE,
                SyncMethods.GLOBAL_TO_ZONE,
                DeltaDiscoveryResponse.parser(),
                CallOptions.DEFAULT);
    }

    Stream<DeltaDiscoveryResponse, DeltaDiscoveryRequest> zoneToGlobal() {
        return open(SyncMethods.SYNC_SERVICE, SyncMethods.ZONE_TO_GLOBAL, DeltaDiscoveryRequest.parser());
    }

    <Q extends Message, A extends Message> Stream<Q, A> open(String service, String method, Parser<A> parser) {
        return open(service, method, parser, CallOptions.DEFAULT);
    }

    <Q extends Message, A extends Message> Stream<Q, A> open(
            String service, String method, Parser<A> parser, CallOptions options) {
        Stream<Q, A> stream = start(service, method, parser, options);
        stream.call.request(Integer.MAX_VALUE);
        return stream;
    }

    private <Q extends Message, A extends Message> Stream<Q, A> start(
            String service, String method, Parser<A> parser, CallOptions options) {
        ClientCall<byte[], byte[]> call = channel.newCall(SyncMethods.bytes(service, method), options);
        Stream<Q, A> stream = new Stream<>(call, parser);
        call.start(stream, headers());
        return stream;
    }

    static DeltaDiscoveryRequest.Builder ask(String kind) {
        return DeltaDiscoveryRequest.newBuilder()
                .setNode(Node.newBuilder().setId("zone-1"))
                .setTypeUrl(kind)
                .addResourceNamesSubscribe("*");
    }

    /** With what Kuma's zones announce in their first request. */
    static DeltaDiscoveryRequest.Builder askAnnouncing(String kind, String feature) {
        ListValue features = ListValue.newBuilder()
                .addValues(Value.newBuilder().setStringValue("zone-token"))
                .addValues(Value.newBuilder().setStringValue(feature))
                .build();
        Struct metadata = Struct.newBuilder()
                .putFields("features", Value.newBuilder().setListValue(features).build())
                .build();
        return ask(kind).setNode(Node.newBuilder().setId("zone-1").setMetadata(metadata));
    }

    static DeltaDiscoveryRequest ack(DeltaDiscoveryResponse response) {
        return DeltaDiscoveryRequest.newBuilder()
                .setNode(Node.newBuilder().setId("zone-1"))
                .setTypeUrl(response.getTypeUrl())
                .setResponseNonce(response.getNonce())
                .build();
    }

    /** As Kuma does: an error without a code, and the wildcard again. */
    static DeltaDiscoveryRequest nack(DeltaDiscoveryResponse response, String message) {
        return ack(response).toBuilder()
                .addResourceNamesSubscribe("*")
                .setErrorDetail(Status.newBuilder().setMessage(message))
                .build();
    }

    /** A resource whose spec is JSON. */
    static Resource json(String name, String mesh, String json) {
        return item(
                name,
                mesh,
                Any.newBuilder().setValue(ByteString.copyFromUtf8(json)).build());
    }

    /** The same, with a label. */
    static Resource labelled(String name, String mesh, String json, String label) {
        return item(
                KumaResource.Meta.newBuilder().setName(name).setMesh(mesh).putLabels("label", label),
                Any.newBuilder().setValue(ByteString.copyFromUtf8(json)).build());
    }

    static Resource item(String name, String mesh, Any spec) {
        return item(KumaResource.Meta.newBuilder().setName(name).setMesh(mesh), spec);
    }

    private static Resource item(KumaResource.Meta.Builder meta, Any spec) {
        KumaResource message =
                KumaResource.newBuilder().setMeta(meta).setSpec(spec).build();
        return Resource.newBuilder()
                .setName(meta.getName() + "." + meta.getMesh())
                .setVersion(Integer.toHexString(message.hashCode()))
                .setResource(Any.newBuilder().setTypeUrl(KUMA_RESOURCE).setValue(message.toByteString()))
                .build();
    }

    static KumaResource read(Resource resource) throws InvalidProtocolBufferException {
        return KumaResource.parseFrom(resource.getResource().getValue());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    /** A stream, what came on it, and how it ended. */
    static final class Stream<Q extends Message, A extends Message> extends ClientCall.Listener<byte[]> {
        final CompletableFuture<io.grpc.Status> end = new CompletableFuture<>();
        private final ClientCall<byte[], byte[]> call;
        private final Parser<A> parser;
        private final BlockingQueue<A> received = new LinkedBlockingQueue<>();

        Stream(ClientCall<byte[], byte[]> call, Parser<A> parser) {
            this.call = call;
            this.parser = parser;
        }

        void send(Q message) {
            call.sendMessage(message.toByteArray());
        }

        void readOne() {
            call.request(1);
        }

        void sendBytes(byte[] bytes) {
            call.sendMessage(bytes);
        }

        /** The next message; null if none comes in a while. */
        @Nullable
        A poll(int millis) throws InterruptedException {
            return received.poll(millis, TimeUnit.MILLISECONDS);
        }

        A next() throws InterruptedException {
            A message = poll(20_000);
            if (message == null) {
                throw new AssertionError("nothing came; end: " + end.getNow(io.grpc.Status.OK));
            }
            return message;
        }

        void cancel() {
            call.cancel("test", null);
        }

        @Override
        public void onMessage(byte[] bytes) {
            try {
                received.add(parser.parseFrom(bytes));
            } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void onClose(io.grpc.Status status, Metadata trailers) {
            end.complete(status);
        }
    }
}
