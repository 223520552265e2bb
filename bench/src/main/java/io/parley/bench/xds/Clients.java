package io.parley.bench.xds;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Many simulated proxies on a few connections: each wants all clusters and the endpoints of every one, and acknowledges all. */
final class Clients implements AutoCloseable {
    private static final int STREAMS_PER_CONNECTION = 100;
    private static final String CDS = "type.googleapis.com/envoy.config.cluster.v3.Cluster";
    private static final String EDS = "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment";

    final LongAdder bytes = new LongAdder();
    private final AtomicInteger endpointAnswers = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final List<ClientCall<byte[], byte[]>> calls = new ArrayList<>();
    private final List<String> names = Resources.names();
    private final Variant variant;

    Clients(int port, int count, Variant variant) {
        this.variant = variant;
        MethodDescriptor<byte[], byte[]> method = MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                .setFullMethodName("envoy.service.discovery.v3.AggregatedDiscoveryService/" + variant.method)
                .build();
        for (int client = 0; client < count; client++) {
            if (client % STREAMS_PER_CONNECTION == 0) {
                channels.add(NettyChannelBuilder.forAddress("127.0.0.1", port)
                        .usePlaintext()
                        .directExecutor()
                        .maxInboundMessageSize(64 * 1024 * 1024)
                        .flowControlWindow(4 * 1024 * 1024)
                        .build());
            }
            ClientCall<byte[], byte[]> call = channels.getLast().newCall(method, CallOptions.DEFAULT);
            calls.add(call);
            call.start(new Listener(call, client), new Metadata());
            call.sendMessage(variant.first(CDS, List.of(), client));
            call.request(1);
        }
    }

    /** Waits until all clients together got this many answers about endpoints; how long it took. */
    Duration await(int answers, long since) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (endpointAnswers.get() < answers) {
            if (failures.get() > 0 || System.nanoTime() > end) {
                throw new IllegalStateException(failures.get() + " streams failed, " + endpointAnswers.get() + " of "
                        + answers + " answers came");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return Duration.ofNanos(System.nanoTime() - since);
    }

    int answers() {
        return endpointAnswers.get();
    }

    @Override
    public void close() {
        calls.forEach(call -> call.cancel("done", null));
        channels.forEach(ManagedChannel::shutdownNow);
    }

    private final class Listener extends ClientCall.Listener<byte[]> {
        private final ClientCall<byte[], byte[]> call;
        private final int client;
        private boolean asked;

        Listener(ClientCall<byte[], byte[]> call, int client) {
            this.call = call;
            this.client = client;
        }

        @Override
        public void onMessage(byte[] message) {
            bytes.add(message.length);
            Variant.Answer answer = Variant.Answer.read(message);
            boolean endpoints = answer.type().equals(EDS);
            call.sendMessage(variant.acknowledge(answer, endpoints ? names : List.of()));
            if (!endpoints && !asked) {
                asked = true;
                call.sendMessage(variant.first(EDS, names, client));
            }
            call.request(1);
            if (endpoints) {
                endpointAnswers.incrementAndGet();
            }
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            if (status.getCode() != Status.Code.CANCELLED) {
                System.err.println(status);
                failures.incrementAndGet();
            }
        }
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
