package io.parley.sync.stream;

import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.grpc.Status;
import io.parley.store.StoreException;
import io.parley.sync.copy.Fence;
import io.parley.sync.copy.KindCopies;
import io.parley.sync.copy.StateTooLargeException;
import io.parley.sync.copy.SupersededException;
import java.util.Map;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end that keeps copies: it asks for kinds and answers each delivery with whether it was good. Deliveries are stored one after the
 * other on threads that may block; the transport never does (Kuma issue 14486).
 */
public final class ReceivingEnd implements Inlet {
    private static final Logger LOG = LoggerFactory.getLogger(ReceivingEnd.class);

    private final Pipe<byte[]> pipe;
    private final Asking asking;
    private final StreamCounts counts;
    private final Turns turns;
    private volatile boolean ended;

    /** What is said in one version of the protocol. Called one thing at a time; may block. */
    interface Asking {
        void start();

        void receive(byte[] message) throws InvalidProtocolBufferException;
    }

    /**
     * What a reader asks for.
     *
     * @param self who asks; sent whole once, by its id after that
     * @param copies by the name of each kind that is wanted
     * @param fence that shuts this stream out when another takes over
     */
    public record Wanted(Node self, Map<String, KindCopies> copies, Fence fence) {
        public Wanted {
            copies = Map.copyOf(copies);
        }

        Node nameOnly() {
            return Node.newBuilder().setId(self.getId()).build();
        }
    }

    private ReceivingEnd(Pipe<byte[]> pipe, Asking asking, StreamCounts counts, Executor executor) {
        this.pipe = pipe;
        this.asking = asking;
        this.counts = counts;
        this.turns = new Turns(executor);
    }

    /** Asks for changes. */
    public static ReceivingEnd delta(
            Pipe<byte[]> pipe, Wanted wanted, DeltaAsking.Peer peer, StreamCounts counts, Executor executor) {
        return new ReceivingEnd(pipe, new DeltaAsking(wanted, peer, counts, pipe::send), counts, executor);
    }

    /** Asks for all of each kind, of peers of version 1. */
    public static ReceivingEnd stateOfTheWorld(
            Pipe<byte[]> pipe, Wanted wanted, StreamCounts counts, Executor executor) {
        return new ReceivingEnd(pipe, new SotwAsking(wanted, counts, pipe::send), counts, executor);
    }

    /** Begins to ask. */
    public void open() {
        turn(() -> {
            asking.start();
            pipe.readNext();
        });
    }

    @Override
    public void message(byte[] bytes) {
        turn(() -> {
            asking.receive(bytes);
            pipe.readNext();
        });
    }

    private interface Work {
        void run() throws InvalidProtocolBufferException;
    }

    private void turn(Work work) {
        turns.execute(() -> {
            if (ended) {
                return;
            }
            try {
                work.run();
            } catch (InvalidProtocolBufferException e) {
                end(Status.INVALID_ARGUMENT.withDescription("not a discovery response: " + e.getMessage()));
            } catch (StoreException e) {
                LOG.warn("a synchronisation stream ends, to be resumed: {}", e.getMessage());
                end(Status.UNAVAILABLE.withDescription(e.getMessage()));
            } catch (SupersededException e) {
                end(Status.ABORTED.withDescription(e.getMessage()));
            } catch (StateTooLargeException e) {
                LOG.warn("a synchronisation stream ends: {}", e.getMessage());
                counts.overflowed();
                end(Status.RESOURCE_EXHAUSTED.withDescription(e.getMessage()));
            } catch (RuntimeException e) {
                LOG.error("fault in a synchronisation stream: closing it", e);
                end(Status.INTERNAL.withDescription("fault in the receiver, see its log"));
            }
        });
    }

    private void end(Status status) {
        ended = true;
        pipe.end(status);
    }

    @Override
    public void ready() {
        // Requests are few and small: they may wait in the transport.
    }

    @Override
    public void ended(Status status) {
        ended = true;
    }
}
