package io.parley.sync.global;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.parley.agreement.sync.Feature;
import io.parley.agreement.sync.PriorityClass;
import io.parley.agreement.sync.SyncVersion;
import io.parley.resource.kind.Kind;
import io.parley.store.StoreException;
import io.parley.sync.admin.AskingEnd;
import io.parley.sync.admin.Question;
import io.parley.sync.codec.Encoding;
import io.parley.sync.codec.SyncKinds;
import io.parley.sync.copy.KindCopies;
import io.parley.sync.grpc.PeerNode;
import io.parley.sync.grpc.ServerPipe;
import io.parley.sync.grpc.SyncMethods;
import io.parley.sync.status.ZoneStatus;
import io.parley.sync.stream.BothCounts;
import io.parley.sync.stream.DeltaAsking;
import io.parley.sync.stream.Inlet;
import io.parley.sync.stream.Multiplexed;
import io.parley.sync.stream.ReceivingEnd;
import io.parley.sync.stream.SendingEnd;
import io.parley.sync.stream.StreamCounts;
import io.parley.xds.server.session.EncodedResponse;
import io.parley.xds.server.session.Recipient;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the streams of zones. A stream is opened on a thread that may block, and nothing is read from it until it is open. */
final class GlobalStreams {
    private static final Logger LOG = LoggerFactory.getLogger(GlobalStreams.class);
    private static final String SENDER = "global";

    private final Surroundings surroundings;

    GlobalStreams(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    private interface Opener<M> {
        /** Makes the end of a stream, and returns what starts it. */
        Opened open(ServerPipe<M> pipe, Caller caller, ZoneState zone);
    }

    private record Opened(Inlet inlet, Runnable start) {}

    ServerCall.Listener<byte[]> globalToZone(ServerCall<byte[], EncodedResponse> call, Metadata headers) {
        return open(call, headers, SyncMethods.GLOBAL_TO_ZONE, (pipe, caller, zone) -> {
            SendingEnd end = SendingEnd.delta(
                    pipe, sent(caller, zone), counts(zone), surroundings.executor(), surroundings.ticker());
            return new Opened(end, end::open);
        });
    }

    ServerCall.Listener<byte[]> zoneToGlobal(ServerCall<byte[], byte[]> call, Metadata headers) {
        return open(call, headers, SyncMethods.ZONE_TO_GLOBAL, (pipe, caller, zone) -> {
            DeltaAsking.Peer peer = new DeltaAsking.Peer(
                    caller.features().has(Feature.RESUME) ? KindCopies.Start.RESUME : KindCopies.Start.FROM_NOTHING,
                    caller.features().has(Feature.CHUNKED_STATE)
                            ? DeltaAsking.FirstState.IN_PIECES
                            : DeltaAsking.FirstState.WHOLE);
            ReceivingEnd end =
                    ReceivingEnd.delta(pipe, wanted(caller, zone), peer, counts(zone), surroundings.executor());
            return new Opened(end, end::open);
        });
    }

    ServerCall.Listener<byte[]> multiplexed(ServerCall<byte[], byte[]> call, Metadata headers) {
        return open(call, headers, SyncMethods.STREAM_MESSAGE, (pipe, caller, zone) -> {
            Multiplexed both = new Multiplexed(
                    pipe,
                    caller.messages(),
                    answers -> SendingEnd.stateOfTheWorld(
                            answers, sent(caller, zone), counts(zone), surroundings.executor(), surroundings.ticker()),
                    requests -> ReceivingEnd.stateOfTheWorld(
                            requests, wanted(caller, zone), counts(zone), surroundings.executor()));
            return new Opened(both, both::open);
        });
    }

    /** Opened by zones that let global ask about their proxies. */
    ServerCall.Listener<byte[]> questions(Question.Topic topic, ServerCall<byte[], byte[]> call, Metadata headers) {
        return open(call, headers, topic.method(), (pipe, _, zone) -> {
            AskingEnd end = new AskingEnd(pipe);
            zone.takesQuestions(topic, end);
            return new Opened(end, end::open);
        });
    }

    private <M> ServerCall.Listener<byte[]> open(
            ServerCall<byte[], M> call, Metadata headers, String method, Opener<M> opener) {
        ServerPipe<M> pipe = new ServerPipe<>(call);
        surroundings.executor().execute(() -> {
            try {
                switch (surroundings.gatekeeper().admit(headers, call.getAttributes())) {
                    case Gatekeeper.Admission.Refused(Status status) -> pipe.end(status);
                    case Gatekeeper.Admission.Admitted(Caller caller) -> open(pipe, caller, method, opener);
                }
            } catch (StoreException e) {
                LOG.warn("a zone cannot be served now: {}", e.getMessage());
                pipe.end(Status.UNAVAILABLE.withDescription("the store cannot be read: come back later"));
            } catch (RuntimeException e) {
                LOG.error("fault while a stream of a zone is opened: closing it", e);
                pipe.end(Status.INTERNAL.withDescription("fault in the global control plane, see its log"));
            }
        });
        return pipe;
    }

    private <M> void open(ServerPipe<M> pipe, Caller caller, String method, Opener<M> opener) {
        ZoneState zone = caller.tenant().zone(caller.zone().zone());
        introduce(zone, caller, versionOf(method));
        Opened opened = opener.open(pipe, caller, zone);
        String purpose = method + caller.stream().map(PriorityClass::text).orElse("");
        Inlet noted = zone.opened(purpose, pipe, opened.inlet());
        if (pipe.attach(noted, surroundings.features())) {
            opened.start().run();
        } else {
            noted.ended(Status.CANCELLED);
        }
    }

    /** What a zone speaks is told by the streams that it opens, whether there was a handshake or not. */
    private static Optional<SyncVersion> versionOf(String method) {
        return switch (method) {
            case SyncMethods.GLOBAL_TO_ZONE, SyncMethods.ZONE_TO_GLOBAL -> Optional.of(SyncVersion.DELTA);
            case SyncMethods.STREAM_MESSAGE -> Optional.of(SyncVersion.STATE_OF_THE_WORLD);
            default -> Optional.empty();
        };
    }

    private static void introduce(ZoneState zone, Caller caller, Optional<SyncVersion> version) {
        zone.status().introduced(new ZoneStatus.Peer(caller.release(), caller.instance(), caller.features(), version));
    }

    /** Kuma's zones say in requests, not in headers, that they understand producers' policies. */
    private static SendingEnd.Source sent(Caller caller, ZoneState zone) {
        return announced -> {
            Caller known = caller.announcing(announced);
            introduce(zone, known, Optional.empty());
            return new SendingEnd.Sent(
                    parties(known), known.tenant().snapshot(known.stream(), Encoding.of(known.features())));
        };
    }

    private static SendingEnd.Parties parties(Caller caller) {
        boolean pieces = caller.features().has(Feature.CHUNKED_STATE);
        return new SendingEnd.Parties(
                SENDER,
                new Recipient(
                        caller.zone().zone(), pieces ? Recipient.FirstState.IN_PIECES : Recipient.FirstState.WHOLE));
    }

    private ReceivingEnd.Wanted wanted(Caller caller, ZoneState zone) {
        Encoding.Names names = Encoding.of(caller.features()).names();
        Map<String, KindCopies> copies = new HashMap<>();
        for (Kind kind : SyncKinds.of(SyncKinds.toGlobal(), caller.stream())) {
            copies.put(kind.name(), zone.copies(kind, names));
        }
        Node self = PeerNode.of(
                caller.zone().zone(),
                surroundings.settings().instance(),
                surroundings.settings().release(),
                surroundings.features());
        return new ReceivingEnd.Wanted(
                self,
                copies,
                zone.fence(caller.stream(), surroundings.settings().instance()));
    }

    /** Metrics first: what a zone's status tells, they tell by then. */
    private StreamCounts counts(ZoneState zone) {
        return new BothCounts(surroundings.metrics(), zone.status());
    }
}
