package io.parley.sync.zone;

import io.grpc.ClientCall;
import io.grpc.Status;
import io.parley.agreement.sync.Feature;
import io.parley.agreement.sync.PriorityClass;
import io.parley.agreement.sync.SyncVersion;
import io.parley.resource.kind.Kind;
import io.parley.sync.admin.AnsweringEnd;
import io.parley.sync.admin.Question;
import io.parley.sync.codec.Encoding;
import io.parley.sync.codec.SyncKinds;
import io.parley.sync.codec.ToGlobal;
import io.parley.sync.copy.Fence;
import io.parley.sync.copy.KindCopies;
import io.parley.sync.grpc.ClientPipe;
import io.parley.sync.grpc.SyncMethods;
import io.parley.sync.stream.DeltaAsking;
import io.parley.sync.stream.Inlet;
import io.parley.sync.stream.Multiplexed;
import io.parley.sync.stream.Pipe;
import io.parley.sync.stream.ReceivingEnd;
import io.parley.sync.stream.SendingEnd;
import io.parley.xds.server.session.EncodedResponse;
import io.parley.xds.server.session.Recipient;
import io.parley.xds.server.snapshot.LiveSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The streams of one connection. When one ends, in whatever way, all do (case 20): half a connection would look like a whole one. */
final class ZoneStreams {
    private final ZoneSync.Shared shared;
    private final ZoneConnection connection;
    private final ZoneConnection.Agreed agreed;
    private final @Nullable PriorityClass only;
    private final List<Pipe<?>> pipes = new ArrayList<>();
    private final CompletableFuture<Status> ended = new CompletableFuture<>();

    private ZoneStreams(
            ZoneConnection connection,
            ZoneConnection.Agreed agreed,
            @Nullable PriorityClass only,
            ZoneSync.Shared shared) {
        this.connection = connection;
        this.agreed = agreed;
        this.only = only;
        this.shared = shared;
    }

    static ZoneStreams open(
            ZoneConnection connection,
            ZoneConnection.Agreed agreed,
            @Nullable PriorityClass only,
            ZoneSync.Shared shared) {
        ZoneStreams streams = new ZoneStreams(connection, agreed, only, shared);
        try {
            streams.openAll();
        } catch (RuntimeException | Error e) {
            // Nobody else knows of those that are open by now.
            streams.close();
            throw e;
        }
        return streams;
    }

    private void openAll() {
        if (agreed.version().equals(SyncVersion.DELTA)) {
            openDelta();
            openQuestions();
        } else {
            openMultiplexed();
        }
    }

    private void openDelta() {
        DeltaAsking.Peer global = new DeltaAsking.Peer(
                agreed.global().has(Feature.RESUME) ? KindCopies.Start.RESUME : KindCopies.Start.FROM_NOTHING,
                agreed.global().has(Feature.CHUNKED_STATE)
                        ? DeltaAsking.FirstState.IN_PIECES
                        : DeltaAsking.FirstState.WHOLE);
        open(
                connection
                        .channel()
                        .newCall(
                                SyncMethods.bytes(SyncMethods.SYNC_SERVICE, SyncMethods.GLOBAL_TO_ZONE),
                                connection.streamOptions()),
                pipe -> ReceivingEnd.delta(pipe, wanted(), global, shared.metrics(), shared.executor()),
                ReceivingEnd::open);
        open(
                connection
                        .channel()
                        .newCall(
                                SyncMethods.clientSends(SyncMethods.SYNC_SERVICE, SyncMethods.ZONE_TO_GLOBAL),
                                connection.streamOptions()),
                pipe -> SendingEnd.delta(pipe, sent(), shared.metrics(), shared.executor(), System::nanoTime),
                SendingEnd::open);
    }

    /** On one of the connections only. A global control plane need not have these streams (case 16). */
    private void openQuestions() {
        if (only == PriorityClass.INFORMATIONAL) {
            return;
        }
        for (Question.Topic topic : Question.Topic.values()) {
            ClientCall<byte[], byte[]> call = connection
                    .channel()
                    .newCall(SyncMethods.bytes(SyncMethods.GLOBAL_SERVICE, topic.method()), connection.streamOptions());
            open(
                    call,
                    Status.Code.UNIMPLEMENTED,
                    pipe -> new AnsweringEnd(pipe, topic, shared.answers(), shared.executor()),
                    AnsweringEnd::open);
        }
    }

    private void openMultiplexed() {
        open(
                connection
                        .channel()
                        .newCall(
                                SyncMethods.bytes(SyncMethods.MULTIPLEX_SERVICE, SyncMethods.STREAM_MESSAGE),
                                connection.streamOptions()),
                pipe -> new Multiplexed(pipe, Multiplexed.Messages.V3, this::answers, this::requests),
                Multiplexed::open);
    }

    private SendingEnd answers(Pipe<EncodedResponse> pipe) {
        return SendingEnd.stateOfTheWorld(pipe, sent(), shared.metrics(), shared.executor(), System::nanoTime);
    }

    private ReceivingEnd requests(Pipe<byte[]> pipe) {
        return ReceivingEnd.stateOfTheWorld(pipe, wanted(), shared.metrics(), shared.executor());
    }

    private <M, E extends Inlet> void open(ClientCall<M, byte[]> call, Function<Pipe<M>, E> make, Consumer<E> start) {
        open(call, null, make, start);
    }

    /**
     * Opens a stream.
     *
     * @param tolerated with which it may end without taking the others along; null if with nothing
     */
    private <M, E extends Inlet> void open(
            ClientCall<M, byte[]> call, Status.@Nullable Code tolerated, Function<Pipe<M>, E> make, Consumer<E> start) {
        ClientPipe<M> pipe = ClientPipe.open(call, connection.streamHeaders(only), new Watched(null, tolerated));
        pipes.add(pipe);
        E end = make.apply(pipe);
        pipe.attach(new Watched(end, tolerated));
        start.accept(end);
    }

    /** Passes everything on, and notes the end. */
    private final class Watched implements Inlet {
        private final @Nullable Inlet end;
        private final Status.@Nullable Code tolerated;

        Watched(@Nullable Inlet end, Status.@Nullable Code tolerated) {
            this.end = end;
            this.tolerated = tolerated;
        }

        @Override
        public void ready() {
            if (end != null) {
                end.ready();
            }
        }

        @Override
        public void message(byte[] bytes) {
            if (end != null) {
                end.message(bytes);
            }
        }

        @Override
        public void ended(Status status) {
            if (end != null) {
                end.ended(status);
            }
            if (status.getCode() != tolerated) {
                ended.complete(status);
            }
        }
    }

    private LiveSnapshot snapshot() {
        Encoding.Specs specs = agreed.global().has(Feature.JSON_SPECS) ? Encoding.Specs.JSON : Encoding.Specs.PROTOBUF;
        Encoding encoding = new Encoding(shared.self().settings().names(), specs, Encoding.Producers.TAKEN);
        return shared.followers()
                .of(Optional.ofNullable(only))
                .follow(encoding, new ToGlobal(shared.self().settings().zone(), encoding));
    }

    /** What global says of itself, it said in the handshake. */
    private SendingEnd.Source sent() {
        SendingEnd.Sent sent = new SendingEnd.Sent(parties(), snapshot());
        return _ -> sent;
    }

    private SendingEnd.Parties parties() {
        boolean pieces = agreed.global().has(Feature.CHUNKED_STATE);
        return new SendingEnd.Parties(
                shared.self().settings().zone(),
                new Recipient("", pieces ? Recipient.FirstState.IN_PIECES : Recipient.FirstState.WHOLE));
    }

    private ReceivingEnd.Wanted wanted() {
        Map<String, KindCopies> copies = new HashMap<>();
        for (Kind kind : SyncKinds.of(SyncKinds.toZones(), Optional.ofNullable(only))) {
            copies.put(kind.name(), shared.copies(kind));
        }
        return new ReceivingEnd.Wanted(shared.self().node(), copies, Fence.NONE);
    }

    /** Reports the zone's health until a stream ends; the others are ended by whoever closes this. */
    Status awaitEnd(ZoneConnection connection) throws InterruptedException {
        Duration interval = connection.health().orElse(Duration.ofDays(1));
        while (true) {
            try {
                return ended.get(interval.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException _) {
                interval = connection.health().orElse(Duration.ofDays(1));
            } catch (ExecutionException e) {
                throw new IllegalStateException("the end of a stream is never a failure", e);
            }
        }
    }

    void close() {
        pipes.forEach(
                pipe -> pipe.end(Status.CANCELLED.withDescription("another stream of this connection has ended")));
    }
}
