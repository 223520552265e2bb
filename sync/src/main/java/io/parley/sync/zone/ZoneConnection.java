package io.parley.sync.zone;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.parley.agreement.sync.Features;
import io.parley.agreement.sync.PriorityClass;
import io.parley.agreement.sync.SyncVersion;
import io.parley.sync.grpc.SyncMethods;
import io.parley.wire.sync.proto.HandshakeRequest;
import io.parley.wire.sync.proto.HandshakeResponse;
import io.parley.wire.sync.proto.ZoneHealthCheckRequest;
import io.parley.wire.sync.proto.ZoneHealthCheckResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection to the global control plane, and the calls on it that are answered once. Blocks. */
final class ZoneConnection implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final ManagedChannel channel;
    private final CallOptions options;
    private final Introduction self;
    private final Metadata headers;

    ZoneConnection(ManagedChannel channel, CallOptions options, Introduction self) {
        this.channel = channel;
        this.options = options;
        this.self = self;
        this.headers = self.headers(null);
    }

    /** What the two sides agreed on. */
    record Agreed(SyncVersion version, Features global, Basis basis) {}

    /** Where an agreement comes from. */
    enum Basis {
        HANDSHAKE,
        /** Global knows no handshake: whether it speaks this version is seen when it is spoken. */
        ASSUMPTION
    }

    /** What became of a handshake. */
    sealed interface Shaken {
        record Done(Agreed agreed) implements Shaken {}

        /** There is no common version: trying again soon is of no use. */
        record Refused(String because) implements Shaken {}

        record Failed(Status status) implements Shaken {}
    }

    /**
     * Agrees with global.
     *
     * @param otherwise the version to speak with one that knows no handshake
     */
    Shaken handshake(SyncVersion otherwise) {
        HandshakeRequest.Builder request = HandshakeRequest.newBuilder()
                .setKumaVersion(self.settings().release())
                .addAllFeatures(self.features().texts());
        self.settings().versions().forEach(version -> request.addSupportedKdsVersions(version.toString()));
        try {
            HandshakeResponse response = ClientCalls.blockingUnaryCall(
                    channelWithHeaders(), SyncMethods.handshake("Handshake"), unary(), request.build());
            return agreed(response);
        } catch (StatusRuntimeException e) {
            return switch (e.getStatus().getCode()) {
                case UNIMPLEMENTED -> new Shaken.Done(new Agreed(otherwise, Features.NONE, Basis.ASSUMPTION));
                case FAILED_PRECONDITION -> new Shaken.Refused(text(e.getStatus()));
                default -> new Shaken.Failed(e.getStatus());
            };
        }
    }

    private Shaken agreed(HandshakeResponse response) {
        Optional<SyncVersion> version = SyncVersion.parse(response.getKdsVersion())
                .filter(self.settings().versions()::contains);
        return version.<Shaken>map(agreed -> new Shaken.Done(
                        new Agreed(agreed, Features.parse(response.getFeaturesList()), Basis.HANDSHAKE)))
                .orElseGet(() -> new Shaken.Refused("global chose sync version " + response.getKdsVersion()
                        + " (expected: one of " + self.settings().versions() + ")"));
    }

    /** Tells global that the zone lives; when to do so again, or nothing if global does not want to know. */
    Optional<Duration> health() {
        try {
            ZoneHealthCheckResponse response = ClientCalls.blockingUnaryCall(
                    channelWithHeaders(),
                    SyncMethods.healthCheck(),
                    unary(),
                    ZoneHealthCheckRequest.getDefaultInstance());
            Duration interval = Duration.ofSeconds(
                    response.getInterval().getSeconds(), response.getInterval().getNanos());
            return Optional.of(interval.isPositive() ? interval : Introduction.HEALTH_INTERVAL);
        } catch (StatusRuntimeException e) {
            // Tolerated, as some global control planes have no such method; a connection that is gone shows on its
            // streams.
            return e.getStatus().getCode() == Status.Code.UNIMPLEMENTED
                    ? Optional.empty()
                    : Optional.of(Introduction.HEALTH_INTERVAL);
        }
    }

    ManagedChannel channel() {
        return channel;
    }

    CallOptions streamOptions() {
        return options;
    }

    /** Headers of streams of this class of kinds, or of all if null. */
    Metadata streamHeaders(@Nullable PriorityClass only) {
        return self.headers(only);
    }

    private Channel channelWithHeaders() {
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    private CallOptions unary() {
        return options.withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static String text(Status status) {
        return status.getDescription() == null ? status.getCode().name() : status.getDescription();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
