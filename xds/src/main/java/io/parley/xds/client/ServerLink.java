package io.parley.xds.client;

import com.google.protobuf.Message;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.Dialogue.Outgoing;
import io.parley.xds.client.Trouble.Kind;
import io.parley.xds.client.loop.Loop;
import io.parley.xds.client.transport.LastingStream;
import io.parley.xds.client.transport.LastingStream.Retrying;
import io.parley.xds.client.transport.StreamEnd;
import io.parley.xds.client.transport.Transport;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The discovery stream to one server. It decides which message goes when; what is said is the {@link Dialogue}'s business, what
 * it means the {@link Owner}'s.
 */
final class ServerLink<Q extends Message, A extends Message> implements LastingStream.Handler<A> {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLink.class);

    private final XdsServer server;
    private final Dialogue<Q, A> dialogue;
    private final Owner owner;
    private final Loop loop;
    private final LastingStream<Q, A> stream;
    private final RefusalPauses pauses;
    private boolean flushing;
    private boolean heard;

    /** What a link needs from the rest of the client. */
    interface Owner {
        Names wanted(ServerLink<?, ?> link, ResourceType type);

        /** These were asked for on a connected stream. */
        void requested(ServerLink<?, ?> link, ResourceType type, Names names);

        /** The server has said its first word on a new stream. */
        void recovered(ServerLink<?, ?> link);

        Verdict answered(ServerLink<?, ?> link, Answer answer, Deliveries deliveries);

        /** The stream is gone; nothing that was asked for on it will be answered. */
        void interrupted(ServerLink<?, ?> link);

        /** The stream ended before the server said anything. */
        void failed(ServerLink<?, ?> link, Trouble trouble);
    }

    ServerLink(XdsServer server, Dialogue<Q, A> dialogue, Transport transport, Owner owner, Retrying retrying) {
        this.server = server;
        this.dialogue = dialogue;
        this.owner = owner;
        this.loop = retrying.loop();
        this.pauses = new RefusalPauses(loop, retrying.random(), this::tell);
        this.stream = new LastingStream<>(transport, dialogue.method(), retrying, this);
    }

    XdsServer server() {
        return server;
    }

    /** Whether its last stream ended without an answer and there was none since. */
    boolean isFailing() {
        return stream.isFailing();
    }

    /** Other resources of the type may be wanted than before. Many changes in one turn of the loop make one request. */
    void changed(ResourceType type) {
        dialogue.changed(type);
        if (!stream.isOpen() && isNeeded()) {
            stream.open();
        } else if (!flushing) {
            flushing = true;
            stream.later(this::ready);
        }
    }

    /** What the client has of this type comes from another server now. */
    void superseded(ResourceType type) {
        dialogue.forget(type);
    }

    void close() {
        pauses.clear();
        stream.close("the client needs this server no longer");
        owner.interrupted(this);
    }

    @Override
    public boolean isNeeded() {
        for (ResourceType type : ResourceType.values()) {
            if (!owner.wanted(this, type).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void opening() {
        flushing = false;
        heard = false;
        dialogue.restart();
    }

    @Override
    public void ready() {
        flushing = false;
        while (stream.isReady()) {
            Optional<Outgoing<Q>> next = dialogue.next(type -> owner.wanted(this, type));
            if (next.isEmpty()) {
                return;
            }
            stream.send(next.get().request());
            pauses.told(next.get().type());
            owner.requested(this, next.get().type(), next.get().names());
        }
    }

    @Override
    public void received(A message, Runnable readNext) {
        if (!heard) {
            heard = true;
            owner.recovered(this);
        }
        Deliveries deliveries = new Deliveries(loop, readNext);
        Optional<Answer> answer = dialogue.read(message);
        if (answer.isPresent()) {
            ResourceType type = answer.get().type();
            pauses.answered(type);
            Verdict verdict = owner.answered(this, answer.get(), deliveries);
            dialogue.conclude(message, answer.get(), verdict);
            pauses.concluded(type, verdict);
            if (!verdict.isAccepted()) {
                LOG.warn("Refused an answer of {} about {}: {}", server.uri(), type, verdict.problems());
            }
            ready();
        } else {
            LOG.warn("Ignored an answer of {} of a type that was not asked for", server.uri());
        }
        deliveries.seal();
    }

    private void tell(ResourceType type) {
        dialogue.changed(type);
        ready();
    }

    @Override
    public void ended(StreamEnd end, boolean answered, Duration untilNext) {
        pauses.clear();
        owner.interrupted(this);
        if (end.isExhausted()) {
            LOG.warn(
                    "xDS stream to {} failed, {} (expected: answers that this client can take: fewer resources for this"
                            + " node, or delta); going on as before, next attempt in {}",
                    server.uri(),
                    end,
                    untilNext);
        }
        if (answered) {
            LOG.debug("xDS stream to {} ended, {}; next in {}", server.uri(), end, untilNext);
        } else {
            if (!end.isExhausted()) {
                LOG.warn("xDS stream to {} failed, {}; next attempt in {}", server.uri(), end, untilNext);
            }
            owner.failed(this, trouble(end));
        }
    }

    /** No silent switch to another version (case C14): the bootstrap file says what the server speaks. */
    private Trouble trouble(StreamEnd end) {
        if (end.code().equals(Kind.NO_COMMON_VERSION.name())) {
            return new Trouble(Kind.NO_COMMON_VERSION, server.uri() + ": " + end.message());
        }
        String hint = end.isUnimplemented()
                ? "; the server does not have " + stream.method().name()
                        + " (expected: server_features that name a version it speaks)"
                : "";
        return new Trouble(Kind.UNREACHABLE, server.uri() + ": " + end + hint);
    }
}
