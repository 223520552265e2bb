package io.parley.sync.global;

import com.google.protobuf.Duration;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCalls;
import io.parley.agreement.sync.Handshake;
import io.parley.store.StoreException;
import io.parley.sync.grpc.SyncMethods;
import io.parley.wire.sync.proto.HandshakeRequest;
import io.parley.wire.sync.proto.HandshakeResponse;
import io.parley.wire.sync.proto.ZoneHealthCheckRequest;
import io.parley.wire.sync.proto.ZoneHealthCheckResponse;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of zones that are answered once: handshake and health. */
final class GlobalCalls {
    private static final Logger LOG = LoggerFactory.getLogger(GlobalCalls.class);

    private final Surroundings surroundings;
    private final Handshake handshake;

    GlobalCalls(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.handshake = new Handshake(surroundings.settings().versions());
    }

    private interface Answering<Q, A> {
        A answer(Caller caller, Q request) throws StatusException;
    }

    void addTo(ServerServiceDefinition.Builder service) {
        for (String name : SyncMethods.HANDSHAKES) {
            add(service, SyncMethods.handshake(name), this::handshake);
        }
        add(service, SyncMethods.healthCheck(), this::health);
    }

    private HandshakeResponse handshake(Caller caller, HandshakeRequest request) throws StatusException {
        List<String> offered = request.getSupportedKdsVersionsList();
        return switch (handshake.answer(request.getKumaVersion(), offered)) {
            case Handshake.Answer.Agreed(var version) ->
                HandshakeResponse.newBuilder()
                        .setKdsVersion(version.value().toString())
                        .setKumaVersion(surroundings.settings().release())
                        .addAllFeatures(surroundings.features().texts())
                        .build();
            case Handshake.Answer.Refused(String message) -> {
                LOG.warn("zone {} is refused: {}", caller.zone(), message);
                surroundings.metrics().refused("sync-version");
                caller.tenant().zone(caller.zone().zone()).status().refused(message);
                throw Status.FAILED_PRECONDITION.withDescription(message).asException();
            }
        };
    }

    private ZoneHealthCheckResponse health(Caller caller, ZoneHealthCheckRequest request) {
        caller.tenant().zone(caller.zone().zone()).status().healthy();
        return ZoneHealthCheckResponse.newBuilder()
                .setInterval(Duration.newBuilder()
                        .setSeconds(surroundings.settings().health().toSeconds())
                        .setNanos(surroundings.settings().health().toNanosPart()))
                .build();
    }

    private <Q, A> void add(
            ServerServiceDefinition.Builder service, MethodDescriptor<Q, A> method, Answering<Q, A> answering) {
        service.addMethod(
                method,
                (call, headers) ->
                        handler(headers, call.getAttributes(), answering).startCall(call, headers));
    }

    private <Q, A> ServerCallHandler<Q, A> handler(Metadata headers, Attributes connection, Answering<Q, A> answering) {
        return ServerCalls.asyncUnaryCall((request, observer) -> surroundings
                .executor()
                .execute(() -> {
                    try {
                        A answer = answer(headers, connection, request, answering);
                        observer.onNext(answer);
                        observer.onCompleted();
                    } catch (StatusException e) {
                        observer.onError(e);
                    } catch (StoreException e) {
                        observer.onError(Status.UNAVAILABLE
                                .withDescription(e.getMessage())
                                .asException());
                    } catch (RuntimeException e) {
                        LOG.error("fault in a call of a zone", e);
                        observer.onError(Status.INTERNAL
                                .withDescription("fault in the global control plane, see its log")
                                .asException());
                    }
                }));
    }

    private <Q, A> A answer(Metadata headers, Attributes connection, Q request, Answering<Q, A> answering)
            throws StatusException {
        return switch (surroundings.gatekeeper().admit(headers, connection)) {
            case Gatekeeper.Admission.Refused(Status status) -> throw status.asException();
            case Gatekeeper.Admission.Admitted(Caller caller) -> answering.answer(caller, request);
        };
    }
}
