package io.parley.xds.server;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.parley.xds.server.RequestReader.Incoming;
import io.parley.xds.server.session.DiscoverySession;
import io.parley.xds.server.session.EncodedResponse;
import io.parley.xds.server.session.Refusal;
import io.parley.xds.server.session.SessionContext;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gRPC call on a discovery method: its first request opens a stream, and every request takes a turn of it. */
final class DiscoveryCall<R, S extends DiscoverySession> extends ServerCall.Listener<byte[]>
        implements DiscoveryStream.Transport {
    private static final Logger log = LoggerFactory.getLogger(DiscoveryCall.class);
    private static final Duration UNFILLED = Duration.ofSeconds(5);

    private final ServerCall<byte[], EncodedResponse> call;
    private final DiscoveryMethod method;
    private final Protocol<R, S> protocol;
    private final Environment environment;
    private final Optional<String> principal;
    private final Executor executor;
    private final long startedAt;
    private final AtomicBoolean ending = new AtomicBoolean();
    private final AtomicBoolean gone = new AtomicBoolean();
    private final AtomicBoolean left = new AtomicBoolean();
    private volatile @Nullable Opened<S> opened;
    private volatile long endAt = Long.MAX_VALUE;
    private volatile boolean ended;
    private volatile boolean foundUnfilled;

    /** What exists once the node is known. */
    private record Opened<S>(
            StreamInfo info, S session, DiscoveryStream stream, SnapshotSource.Admission.Serve admission) {}

    DiscoveryCall(
            ServerCall<byte[], EncodedResponse> call,
            DiscoveryMethod method,
            Protocol<R, S> protocol,
            Environment environment,
            Optional<String> principal) {
        this.call = call;
        this.method = method;
        this.protocol = protocol;
        this.environment = environment;
        this.principal = principal;
        executor = environment.turns().of(call);
        startedAt = environment.ticker().getAsLong();
    }

    void start() {
        environment.registry().add(this, startedAt);
        call.sendHeaders(new Metadata());
        call.request(1);
    }

    @Override
    public void onMessage(byte[] bytes) {
        try {
            Incoming<R> incoming = protocol.reader().read(bytes);
            Opened<S> stream = opened != null ? opened : open(incoming);
            if (stream != null) {
                stream.stream().submit(() -> accept(stream.session(), incoming.request()));
            }
        } catch (IOException e) {
            endInTurn(Status.INVALID_ARGUMENT.withDescription("request: " + e.getMessage()));
        }
    }

    private void accept(S session, R request) {
        if (ended) {
            return;
        }
        protocol.acceptor()
                .accept(session, request, environment.ticker().getAsLong())
                .ifPresentOrElse(refusal -> end(status(refusal)), () -> call.request(1));
    }

    private @Nullable Opened<S> open(Incoming<R> first) throws IOException {
        int size = first.node().size();
        int most = environment.limits().nodeBytes();
        if (size > most) {
            end(Status.INVALID_ARGUMENT.withDescription("node: " + size + " bytes (expected: at most " + most + ")"));
            return null;
        }
        NodeIdentity identity = NodeIdentity.of(first.parseNode(), method.api(), principal);
        return switch (environment.source().admit(identity)) {
            case SnapshotSource.Admission.Refuse(String because) -> {
                environment.metrics().refused("source");
                end(Status.PERMISSION_DENIED.withDescription(because));
                yield null;
            }
            case SnapshotSource.Admission.Serve serve -> serve(identity, serve);
        };
    }

    private Opened<S> serve(NodeIdentity identity, SnapshotSource.Admission.Serve admission) {
        StreamInfo info = new StreamInfo(environment.registry().nextId(), method.fullName(), identity);
        SessionContext context = new SessionContext(
                environment.types(),
                KnownClients.traits(identity),
                environment.limits().session(),
                new StreamEvents(info, environment.listener(), environment.metrics()),
                environment.names(),
                environment.controlPlane());
        S session = protocol.opener().open(method.typeUrl(), context);
        DiscoveryStream stream = new DiscoveryStream(
                session, admission.snapshot(), this, executor, environment.ticker(), environment.metrics());
        Opened<S> made = new Opened<>(info, session, stream, admission);
        environment.listener().opened(info);
        stream.open();
        opened = made;
        if (gone.get()) {
            leave(made); // it was ended meanwhile, by somebody who found no stream to close
        }
        return made;
    }

    @Override
    public boolean isReady() {
        return !ended && call.isReady();
    }

    @Override
    public void send(EncodedResponse response) {
        call.sendMessage(response);
    }

    @Override
    public void broken(Throwable fault) {
        log.error("fault in stream {} of {}: closing it", method.fullName(), call.getAuthority(), fault);
        end(Status.INTERNAL.withDescription("fault in the server, see its log"));
    }

    @Override
    public void onReady() {
        Opened<S> stream = opened;
        if (stream != null) {
            stream.stream().wake();
        }
    }

    @Override
    public void onHalfClose() {
        endInTurn(Status.OK);
    }

    @Override
    public void onCancel() {
        forget();
    }

    @Override
    public void onComplete() {
        forget();
    }

    void endAt(long time) {
        endAt = time;
    }

    void tick(long now, Duration sendTimeout) {
        if (now >= endAt) {
            // A stream that ends after an answer is no error to clients: they come back without delay.
            endInTurn(Status.UNAVAILABLE.withDescription("this server is going away: reconnect"));
            return;
        }
        Opened<S> stream = opened;
        if (stream == null) {
            endIfSilent(now, sendTimeout);
            return;
        }
        if (stream.stream().blockedFor(sendTimeout, now)) {
            environment.metrics().writeTimedOut();
            log.warn(
                    "node {} took nothing for {}: closing its stream",
                    stream.info().node().id(),
                    sendTimeout);
            endInTurn(Status.DEADLINE_EXCEEDED.withDescription("nothing was read for " + sendTimeout));
            return;
        }
        noteUnfilled(stream, now);
        stream.stream().tick(now);
    }

    /** Said once, in the log and to a client that waits for its first answer, well before its own patience ends (15 s in gRPC). */
    private void noteUnfilled(Opened<S> stream, long now) {
        String because = stream.admission().unfilled();
        if (foundUnfilled
                || because == null
                || now - startedAt < UNFILLED.toNanos()
                || stream.admission().snapshot().current().isPresent()) {
            return;
        }
        foundUnfilled = true;
        environment.metrics().unfilled();
        log.warn(
                "node {} is served nothing, and will be as soon as that changes: {}",
                stream.info().node().id(),
                because);
        stream.stream().presumeEmpty();
    }

    /** A stream that is opened and never used would hold its place among those that may be open for ever. */
    private void endIfSilent(long now, Duration patience) {
        if (now - startedAt >= patience.toNanos()) {
            endInTurn(Status.DEADLINE_EXCEEDED.withDescription("no request came for " + patience));
        }
    }

    /** Tells what the client has, as soon as a turn is free; nothing if the stream has not begun. */
    CompletableFuture<Void> tellState(StateReader reader) {
        Opened<S> stream = opened;
        if (stream == null || !reader.wants(stream.info().node())) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> told = new CompletableFuture<>();
        stream.stream().submit(() -> {
            try {
                if (reader.wants(stream.info().node())) {
                    long now = environment.ticker().getAsLong();
                    reader.read(new StreamState(stream.info(), stream.session().describe(now)));
                }
            } finally {
                told.complete(null);
            }
        });
        return told;
    }

    /** Ends the call, never while an answer is being sent on it. */
    private void endInTurn(Status status) {
        Opened<S> stream = opened;
        if (stream == null) {
            end(status);
        } else {
            stream.stream().submit(() -> end(status));
        }
    }

    private void end(Status status) {
        if (ending.compareAndSet(false, true)) {
            ended = true;
            call.close(status, new Metadata());
            forget();
        }
    }

    private void forget() {
        if (!gone.compareAndSet(false, true)) {
            return;
        }
        environment.registry().calls().remove(this);
        environment.registry().released();
        Opened<S> stream = opened;
        if (stream != null) {
            leave(stream);
        }
    }

    private void leave(Opened<S> stream) {
        if (left.compareAndSet(false, true)) {
            stream.stream().close();
            environment.listener().closed(stream.info());
        }
    }

    static Status status(Refusal refusal) {
        Status status = switch (refusal.code()) {
            case INVALID_ARGUMENT -> Status.INVALID_ARGUMENT;
            case RESOURCE_EXHAUSTED -> Status.RESOURCE_EXHAUSTED;
            case PERMISSION_DENIED -> Status.PERMISSION_DENIED;
            case UNAVAILABLE -> Status.UNAVAILABLE;
        };
        return status.withDescription(refusal.message());
    }
}
