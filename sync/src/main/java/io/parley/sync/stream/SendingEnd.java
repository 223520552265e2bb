package io.parley.sync.stream;

import io.grpc.Status;
import io.parley.agreement.sync.Features;
import io.parley.xds.server.DiscoveryStream;
import io.parley.xds.server.RequestReader;
import io.parley.xds.server.session.ClientTraits;
import io.parley.xds.server.session.DeltaSession;
import io.parley.xds.server.session.DiscoverySession;
import io.parley.xds.server.session.EncodedResponse;
import io.parley.xds.server.session.NameSets;
import io.parley.xds.server.session.Recipient;
import io.parley.xds.server.session.Refusal;
import io.parley.xds.server.session.SessionContext;
import io.parley.xds.server.session.SessionLimits;
import io.parley.xds.server.session.SotwSession;
import io.parley.xds.server.session.TypeRules;
import io.parley.xds.server.snapshot.LiveSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end that has resources: it is asked for kinds and answers with what changes, at most one answer per kind on its way. What is said, and
 * how, is settled by the first request: some peers announce there what they understand.
 */
public final class SendingEnd implements Inlet, DiscoveryStream.Transport {
    private static final Logger LOG = LoggerFactory.getLogger(SendingEnd.class);

    /** Kuma takes up to 10 MiB; Parley control planes get smaller pieces, so that none delays the others for long. */
    private static final int WHOLE_BYTES = 10 * 1024 * 1024 - 64 * 1024;

    private static final int PIECE_BYTES = 1024 * 1024;
    private static final int MOST_NAMES = 1_000_000;
    private static final int MOST_KINDS = 256;

    /** An answer is waited for as long as the stream lives: the reader may have to wait for its store. */
    private static final Duration PATIENCE = Duration.ofDays(365);

    private static final NameSets NAMES = new NameSets();

    private final Pipe<EncodedResponse> pipe;
    private final Version version;
    private final Source source;
    private final StreamCounts counts;
    private final Executor executor;
    private final LongSupplier ticker;
    private volatile @Nullable Dialogue dialogue;
    private volatile boolean ended;

    /** Who sends to whom. */
    public record Parties(String sender, Recipient recipient) {}

    /** What is sent to whom. */
    public record Sent(Parties parties, LiveSnapshot snapshot) {}

    /** Chooses what a peer is sent. Must not block. */
    @FunctionalInterface
    public interface Source {
        /**
         * What to send.
         *
         * @param announced in the first request, beyond what the connection said
         */
        Sent of(Features announced);
    }

    private enum Version {
        DELTA(Unrepaired.Answers.CHANGES),
        STATE_OF_THE_WORLD(Unrepaired.Answers.EVERYTHING);

        private final Unrepaired.Answers answers;

        Version(Unrepaired.Answers answers) {
            this.answers = answers;
        }
    }

    private interface Taker {
        Optional<Refusal> take(byte[] request, long now) throws IOException;
    }

    private record Dialogue(DiscoveryStream stream, Taker taker) {}

    private SendingEnd(
            Pipe<EncodedResponse> pipe,
            Version version,
            Source source,
            StreamCounts counts,
            Executor executor,
            LongSupplier ticker) {
        this.pipe = pipe;
        this.version = version;
        this.source = source;
        this.counts = counts;
        this.executor = executor;
        this.ticker = ticker;
    }

    /** Sends changes. */
    public static SendingEnd delta(
            Pipe<EncodedResponse> pipe, Source source, StreamCounts counts, Executor executor, LongSupplier ticker) {
        return new SendingEnd(pipe, Version.DELTA, source, counts, executor, ticker);
    }

    /** Sends all of a kind on each change, for peers of version 1. */
    public static SendingEnd stateOfTheWorld(
            Pipe<EncodedResponse> pipe, Source source, StreamCounts counts, Executor executor, LongSupplier ticker) {
        return new SendingEnd(pipe, Version.STATE_OF_THE_WORLD, source, counts, executor, ticker);
    }

    private Dialogue begin(byte[] request) throws IOException {
        Sent sent = source.of(announced(request));
        SessionContext context = context(sent.parties(), counts, version.answers);
        return switch (version) {
            case DELTA -> {
                DeltaSession session = new DeltaSession(null, context);
                yield dialogue(
                        session,
                        sent,
                        (each, now) -> session.accept(RequestReader.delta(each).request(), now));
            }
            case STATE_OF_THE_WORLD -> {
                SotwSession session = new SotwSession(null, context);
                yield dialogue(
                        session,
                        sent,
                        (each, now) -> session.accept(RequestReader.sotw(each).request(), now));
            }
        };
    }

    private Dialogue dialogue(DiscoverySession session, Sent sent, Taker taker) {
        return new Dialogue(
                new DiscoveryStream(session, sent.snapshot(), this, executor, ticker, DiscoveryStream.Timing.NONE),
                taker);
    }

    private Features announced(byte[] request) throws IOException {
        return Announced.by(
                switch (version) {
                    case DELTA -> RequestReader.delta(request).node();
                    case STATE_OF_THE_WORLD -> RequestReader.sotw(request).node();
                });
    }

    private static SessionContext context(Parties parties, StreamCounts counts, Unrepaired.Answers answers) {
        boolean whole = parties.recipient().firstState() == Recipient.FirstState.WHOLE;
        // What was rejected is not sent again, so there is no loop that a pause would have to slow down (case 10).
        SessionLimits limits =
                new SessionLimits(MOST_NAMES, MOST_KINDS, whole ? WHOLE_BYTES : PIECE_BYTES, Duration.ZERO, PATIENCE);
        TypeRules rules = new TypeRules(
                TypeRules.Completeness.EVERYTHING, TypeRules.EmptyList.WILDCARD, 0, TypeRules.Removal.AT_ONCE);
        return new SessionContext(
                _ -> rules,
                ClientTraits.PLAIN,
                limits,
                new SentCounts(counts, answers),
                NAMES,
                parties.sender(),
                parties.recipient());
    }

    /** Begins to serve. */
    public void open() {
        pipe.readNext();
    }

    @Override
    public void message(byte[] bytes) {
        Dialogue current = dialogue;
        try {
            if (current == null) {
                current = begin(bytes);
                dialogue = current;
                current.stream().open();
                if (ended) {
                    current.stream().close(); // the end came meanwhile, and may have found nothing to close
                }
            }
        } catch (IOException e) {
            end(Status.INVALID_ARGUMENT.withDescription("request: " + e.getMessage()));
            return;
        }
        Dialogue begun = current;
        begun.stream().submit(() -> take(begun, bytes));
    }

    private void take(Dialogue current, byte[] bytes) {
        if (current.stream().isClosed()) {
            return;
        }
        try {
            current.taker().take(bytes, ticker.getAsLong()).ifPresentOrElse(this::refuse, pipe::readNext);
        } catch (IOException e) {
            end(Status.INVALID_ARGUMENT.withDescription("request: " + e.getMessage()));
        }
    }

    private void refuse(Refusal refusal) {
        Status status =
                refusal.code() == Refusal.Code.RESOURCE_EXHAUSTED ? Status.RESOURCE_EXHAUSTED : Status.INVALID_ARGUMENT;
        end(status.withDescription(refusal.message()));
    }

    private void end(Status status) {
        ended(status);
        pipe.end(status);
    }

    @Override
    public void ready() {
        Dialogue current = dialogue;
        if (current != null) {
            current.stream().wake();
        }
    }

    @Override
    public void ended(Status status) {
        ended = true;
        Dialogue current = dialogue;
        if (current != null) {
            current.stream().close();
        }
    }

    @Override
    public boolean isReady() {
        return pipe.isReady();
    }

    @Override
    public void send(EncodedResponse response) {
        pipe.send(response);
    }

    @Override
    public void broken(Throwable fault) {
        LOG.error("fault in a synchronisation stream: closing it", fault);
        pipe.end(Status.INTERNAL.withDescription("fault in the sender, see its log"));
    }
}
