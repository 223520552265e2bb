package io.parley.sync.global;

import io.grpc.Status;
import io.parley.agreement.sync.PriorityClass;
import io.parley.resource.KindId;
import io.parley.resource.kind.Kind;
import io.parley.store.ResourceStore;
import io.parley.sync.admin.AskingEnd;
import io.parley.sync.admin.Question;
import io.parley.sync.codec.Encoding;
import io.parley.sync.copy.Fence;
import io.parley.sync.copy.FromZone;
import io.parley.sync.copy.KindCopies;
import io.parley.sync.status.ZoneStatus;
import io.parley.sync.stream.Inlet;
import io.parley.sync.stream.Pipe;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What is known here of one zone: its copies, its open streams, its status. */
final class ZoneState {
    private final String name;
    private final ResourceStore store;
    private final ZoneStatus status;
    private final Runnable rewritten;
    private final Map<KindId, Kept> copies = new HashMap<>();
    private final Map<String, Pipe<?>> streams = new HashMap<>();
    private final Map<Question.Topic, AskingEnd> asking = new ConcurrentHashMap<>();

    private record Kept(Encoding.Names names, KindCopies copies) {}

    ZoneState(String name, ResourceStore store, ZoneStatus status, Runnable rewritten) {
        this.name = name;
        this.store = store;
        this.status = status;
        this.rewritten = rewritten;
    }

    ZoneStatus status() {
        return status;
    }

    /** The copies of a kind. A zone that names its resources in another way than before starts from nothing. */
    synchronized KindCopies copies(Kind kind, Encoding.Names names) {
        Kept kept = copies.get(kind.id());
        if (kept == null || kept.names() != names) {
            kept = new Kept(names, new KindCopies(kind, store, new FromZone(name, names, rewritten)));
            copies.put(kind.id(), kept);
        }
        return kept.copies();
    }

    /** Shuts out earlier streams on which the zone sends the same kinds, to whichever control plane. Blocks. */
    Fence fence(Optional<PriorityClass> only, String instance) {
        return ZoneFence.raise(store, name, only, instance);
    }

    /** Notes a stream, which takes the place of an earlier one of the same purpose; that one is ended. */
    Inlet opened(String purpose, Pipe<?> pipe, Inlet end) {
        Pipe<?> before;
        synchronized (this) {
            before = streams.put(purpose, pipe);
            status.streams(streams.size());
        }
        if (before != null) {
            before.end(Status.ABORTED.withDescription("zone " + name + " has connected anew"));
        }
        return new Inlet() {
            @Override
            public void ready() {
                end.ready();
            }

            @Override
            public void message(byte[] bytes) {
                end.message(bytes);
            }

            @Override
            public void ended(Status why) {
                end.ended(why);
                closed(purpose, pipe);
            }
        };
    }

    private synchronized void closed(String purpose, Pipe<?> pipe) {
        if (streams.remove(purpose, pipe)) {
            status.streams(streams.size());
        }
    }

    synchronized boolean isConnected() {
        return !streams.isEmpty();
    }

    /** The zone has opened a stream for questions, which takes the place of an earlier one. */
    void takesQuestions(Question.Topic topic, AskingEnd end) {
        asking.put(topic, end);
    }

    /** Where to ask the zone; nothing if it has never let us. */
    Optional<AskingEnd> asking(Question.Topic topic) {
        return Optional.ofNullable(asking.get(topic));
    }

    /** Ends all streams; the zone is expected to come back. */
    void end(Status why) {
        Map<String, Pipe<?>> all;
        synchronized (this) {
            all = Map.copyOf(streams);
        }
        all.values().forEach(pipe -> pipe.end(why));
    }
}
