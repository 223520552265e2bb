package io.parley.xds.client.grpc;

import io.grpc.CallOptions;
import io.grpc.CompositeCallCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.parley.xds.bootstrap.CallCredentials;
import io.parley.xds.bootstrap.ChannelCredentials;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.transport.Transport;
import io.parley.xds.client.transport.TransportFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes gRPC channels with the credentials that the bootstrap file gives. */
public final class GrpcTransports implements TransportFactory {
    /** As other gRPC clients do; servers must permit it. */
    private static final int KEEP_ALIVE_MINUTES = 5;
    /**
     * gRPC's own limit of 4 MiB is too small for the state of a large world: 20,000 endpoints take some 5 MiB. What is read of an answer takes a
     * multiple of it, and must fit beside all else.
     */
    private static final int MAX_ANSWER_BYTES = 16 << 20;

    private final String userAgent;

    public GrpcTransports(String userAgent) {
        this.userAgent = userAgent;
    }

    @Override
    public Transport connect(XdsServer server) {
        return switch (server.channelCredentials()) {
            case ChannelCredentials.Insecure() ->
                new GrpcTransport(() -> connection(server, InsecureChannelCredentials.create(), () -> {}));
            case ChannelCredentials.Tls tls ->
                new GrpcTransport(() -> {
                    TlsFiles files = TlsFiles.open(tls);
                    return connection(server, files.credentials(), files::close);
                });
        };
    }

    private GrpcTransport.Connection connection(
            XdsServer server, io.grpc.ChannelCredentials credentials, Runnable afterwards) {
        ManagedChannel channel = Grpc.newChannelBuilder(server.uri(), credentials)
                .keepAliveTime(KEEP_ALIVE_MINUTES, TimeUnit.MINUTES)
                .maxInboundMessageSize(MAX_ANSWER_BYTES)
                .userAgent(userAgent)
                .build();
        return new GrpcTransport.Connection(channel, options(server), afterwards);
    }

    private static CallOptions options(XdsServer server) {
        io.grpc.@Nullable CallCredentials all = null;
        for (CallCredentials one : server.callCredentials()) {
            io.grpc.CallCredentials next = switch (one) {
                case CallCredentials.JwtTokenFile(var file) -> new TokenFile(file);
            };
            all = all == null ? next : new CompositeCallCredentials(all, next);
        }
        return all == null ? CallOptions.DEFAULT : CallOptions.DEFAULT.withCallCredentials(all);
    }
}
