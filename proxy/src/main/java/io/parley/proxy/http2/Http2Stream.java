package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** One request and its answer, as far as frames are concerned. Used on one event loop only. */
abstract class Http2Stream {
    private static final long UNKNOWN = -1;

    private final Credit credit = new Credit(Wire.USUAL_WINDOW);
    private int id;
    private int window;
    private int held;
    private boolean open;
    private boolean resetSent;
    private boolean remoteEnded;
    private boolean localEnded;
    private long expected = UNKNOWN;
    private @Nullable ContentQueue queue;
    private @Nullable Fields trailers;
    private boolean endQueued;
    private boolean inTurn;
    private boolean awaitsRoom;
    private boolean progressed;

    /** A head after the first one of a request: trailers, or what a server answers. */
    abstract void head(Fields fields, @Nullable String flaw, boolean last) throws Http2Fault;

    /** Takes content, which is handed over, and says how much of it the peer may send anew. */
    abstract int received(ByteBuf data, boolean last) throws Http2Fault;

    /** The peer, or this side for a fault of the peer's, gives the stream up. */
    abstract void gaveUp(long code, @Nullable Http2Fault fault);

    /** All of this side has been sent, its end included. */
    void allSent() {}

    /** All of the peer's side has come, while this side has not been sent whole. */
    void allReceived() {}

    /** There is room for more. */
    abstract void writable();

    /** The stream is no more, for whatever reason. */
    abstract void closed();

    final int id() {
        return id;
    }

    final void open(int number, int peersWindow) {
        id = number;
        window = peersWindow;
        open = true;
    }

    final boolean isOpen() {
        return open;
    }

    final void close() {
        open = false;
        if (queue != null) {
            queue.release();
            queue = null;
        }
        trailers = null;
    }

    final boolean isResetSent() {
        return resetSent;
    }

    final void resetSent() {
        resetSent = true;
    }

    final boolean isRemoteEnded() {
        return remoteEnded;
    }

    final void remoteEnded() {
        remoteEnded = true;
    }

    final boolean isLocalEnded() {
        return localEnded;
    }

    final void localEnded() {
        localEnded = true;
    }

    final Credit credit() {
        return credit;
    }

    /** So many bytes have come that are not passed on yet. */
    final void holds(int bytes) {
        held += bytes;
    }

    /** So many of them are. */
    final void passedOn(int bytes) {
        held -= bytes;
    }

    final int held() {
        return held;
    }

    /** How much content is to come, by what the head says. */
    final void expect(long bytes) {
        expected = bytes;
    }

    /** Counts content against what the head said (RFC 9113 section 8.1.1). */
    final void arrived(int bytes, boolean last) throws Http2Fault {
        if (expected == UNKNOWN) {
            return;
        }
        expected -= bytes;
        if (expected < 0 || (last && expected > 0)) {
            throw Http2Fault.ofStream(id, ErrorCode.PROTOCOL_ERROR, "another length than content-length says");
        }
    }

    final int window() {
        return window;
    }

    /** Changes what may be sent; whether it is still a number that HTTP/2 allows. */
    final boolean grow(int bytes) {
        long grown = (long) window + bytes;
        window = (int) grown;
        return grown <= Integer.MAX_VALUE;
    }

    /** Some of what there is to send was sent. */
    final void progressed() {
        progressed = true;
    }

    /** Whether some was sent since this was last asked. */
    final boolean hasProgressed() {
        boolean since = progressed;
        progressed = false;
        return since;
    }

    final boolean hasQueue() {
        return queue != null || trailers != null;
    }

    final void enqueue(ByteBuf content) {
        if (queue == null) {
            queue = new ContentQueue();
        }
        queue.add(content);
    }

    final void enqueue(Fields after) {
        trailers = after;
    }

    /** What comes next of what waits; null if no content does. */
    final @Nullable ByteBuf next() {
        return queue == null ? null : queue.first();
    }

    /** The first of what waits has left, or is about to. */
    final void dequeue() {
        if (queue != null) {
            queue.remove();
            queue = queue.isEmpty() ? null : queue;
        }
    }

    /** The trailers that wait, if nothing waits before them; null if there are none. */
    final @Nullable Fields nextTrailers() {
        Fields next = queue == null ? trailers : null;
        if (next != null) {
            trailers = null;
        }
        return next;
    }

    /** Nothing comes after what waits. */
    final void endQueued() {
        endQueued = true;
    }

    final boolean isEndQueued() {
        return endQueued;
    }

    final boolean isInTurn() {
        return inTurn;
    }

    final void inTurn(boolean waits) {
        inTurn = waits;
    }

    final boolean awaitsRoom() {
        return awaitsRoom;
    }

    final void awaitsRoom(boolean waits) {
        awaitsRoom = waits;
    }
}
