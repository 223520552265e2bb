package io.parley.proxy.http2;

import io.netty.util.collection.IntObjectHashMap;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The streams of a connection, those that are open and those that were (RFC 9113 section 5.1). */
final class Streams {
    private static final int ODD = 1;

    private final IntObjectHashMap<Http2Stream> open = new IntObjectHashMap<>();
    private final ClosedStreams closed = new ClosedStreams();
    private final boolean server;

    /** The last one that the client has begun, whichever side this is. */
    private int last;

    Streams(boolean server) {
        this.server = server;
        this.last = server ? 0 : -1;
    }

    @Nullable
    Http2Stream find(int id) {
        return open.get(id);
    }

    Collection<Http2Stream> all() {
        return open.values();
    }

    int count() {
        return open.size();
    }

    /** The last one that the client has begun. */
    int last() {
        return Math.max(last, 0);
    }

    /** Whether the client can begin one more, ever. */
    boolean hasNumbers() {
        return last < Integer.MAX_VALUE - 1;
    }

    /** The number of the next one that this side begins. */
    int next() {
        last += 2;
        return last;
    }

    void add(Http2Stream stream) {
        open.put(stream.id(), stream);
    }

    void remove(Http2Stream stream) {
        open.remove(stream.id());
        closed.add(stream.id(), stream.isResetSent());
    }

    /** The client has begun one, which was not taken. */
    void passedOver(int id) {
        closed.add(id, true);
    }

    /** Whether nobody has begun it yet: only a head may come on it. */
    boolean isIdle(int id) {
        return (id & ODD) == 0 || id > last;
    }

    /** A client begins a stream, with a number that is odd and higher than any before. */
    void begin(int id) throws Http2Fault {
        if (!server || (id & ODD) == 0) {
            throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "stream " + id + " is not the peer's to begin");
        }
        last = id;
    }

    /** How one ended that is not there any more. All that a server answers on were ours: if it is long ago, it has not heard of the end. */
    ClosedStreams.End endOf(int id) {
        ClosedStreams.End end = closed.endOf(id);
        return end == ClosedStreams.End.UNKNOWN && !server ? ClosedStreams.End.RESET_BY_US : end;
    }
}
