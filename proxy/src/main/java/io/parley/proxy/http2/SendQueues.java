package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.parley.wire.http.Fields;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends what the peer has room for (RFC 9113 section 5.2). What it has none for, and what the channel would only pile up, waits in its
 * stream; streams take turns, as weights are no more (section 5.3).
 */
final class SendQueues {
    private static final int TURN_BYTES = 16 << 10;

    /** Less than this is a crumb, if there was more to send. */
    private static final int CRUMB_BYTES = 1 << 10;

    /** Told that all of a stream has been sent. */
    interface Ends {
        void sentAll(Http2Stream stream);
    }

    private final Channel channel;
    private final FrameWriter writer;
    private final FrameBudget budget;
    private final Ends ends;
    private final ArrayDeque<Http2Stream> turns = new ArrayDeque<>();
    private int window = Wire.USUAL_WINDOW;
    private int initialWindow = Wire.USUAL_WINDOW;
    private boolean advancing;
    private boolean someAwaitRoom;

    SendQueues(Channel channel, FrameWriter writer, FrameBudget budget, Ends ends) {
        this.channel = channel;
        this.writer = writer;
        this.budget = budget;
        this.ends = ends;
    }

    int initialWindow() {
        return initialWindow;
    }

    void head(Http2Stream stream, Fields fields, boolean last) {
        if (!isSending(stream)) {
            return;
        }
        if (stream.hasQueue() && !last) {
            throw new IllegalStateException("a head amid content");
        }
        if (stream.hasQueue()) {
            stream.enqueue(fields);
            stream.endQueued();
        } else {
            headers(stream, fields, last);
        }
    }

    private void headers(Http2Stream stream, Fields fields, boolean last) {
        writer.headers(stream.id(), fields, last);
        if (last) {
            ends.sentAll(stream);
        }
    }

    private static boolean isSending(Http2Stream stream) {
        return stream.isOpen() && !stream.isLocalEnded() && !stream.isEndQueued();
    }

    /** Sends content, or has it wait; the buffer is handed over. */
    void data(Http2Stream stream, ByteBuf content, boolean last) {
        // A frame that has nothing and ends nothing would look like a flood to the peer.
        boolean pointless = !last && !content.isReadable();
        if (pointless || !isSending(stream)) {
            content.release();
            return;
        }
        if (!stream.hasQueue() && hasRoom(stream, content.readableBytes())) {
            budget.dataSent();
            frames(stream, content, last);
            return;
        }
        stream.enqueue(content);
        if (last) {
            stream.endQueued();
        }
        await(stream);
        advance();
    }

    private boolean hasRoom(Http2Stream stream, int bytes) {
        return bytes == 0 || (channel.isWritable() && bytes <= Math.min(window, stream.window()));
    }

    private void frames(Http2Stream stream, ByteBuf content, boolean last) {
        int bytes = content.readableBytes();
        window -= bytes;
        stream.grow(-bytes);
        stream.progressed();
        while (content.readableBytes() > writer.maxFrame()) {
            budget.dataSent();
            writer.data(stream.id(), content.readRetainedSlice(writer.maxFrame()), false);
        }
        writer.data(stream.id(), content, last);
        if (last) {
            ends.sentAll(stream);
        }
    }

    private void await(Http2Stream stream) {
        if (!stream.isInTurn()) {
            stream.inTurn(true);
            turns.add(stream);
        }
    }

    /** The stream is no more. One in front of it that cannot go on must not keep it here. */
    void forget(Http2Stream stream) {
        if (stream.isInTurn()) {
            stream.inTurn(false);
            turns.remove(stream);
        }
    }

    /** Sends what can be sent of what waits. */
    void advance() {
        if (advancing) {
            return;
        }
        advancing = true;
        try {
            takeTurns();
        } finally {
            advancing = false;
        }
    }

    private void takeTurns() {
        for (Http2Stream stream = turns.pollFirst(); stream != null; stream = turns.pollFirst()) {
            if (isHeldUp(stream)) {
                turns.addFirst(stream);
                break;
            }
            stream.inTurn(false);
            if (stream.isOpen() && turn(stream) && stream.hasQueue()) {
                await(stream);
            } else {
                tellIfWritable(stream);
            }
        }
    }

    /** Whether nobody's turn can be had now. */
    private boolean isHeldUp(Http2Stream stream) {
        ByteBuf next = stream.next();
        boolean needsRoom = next != null && next.isReadable();
        return needsRoom && (window <= 0 || !channel.isWritable());
    }

    /** Sends a part of what waits in a stream; whether the stream's own window allowed it. */
    private boolean turn(Http2Stream stream) {
        ByteBuf next = stream.next();
        if (next != null) {
            int bytes = Math.min(next.readableBytes(), Math.min(TURN_BYTES, Math.min(window, stream.window())));
            if (bytes <= 0 && next.isReadable()) {
                return false;
            }
            part(stream, next, Math.max(bytes, 0));
        }
        Fields trailers = stream.nextTrailers();
        if (trailers != null) {
            headers(stream, trailers, true);
        }
        return true;
    }

    /** Content that is taken in crumbs costs this side more than it brings: it earns the peer nothing (CVE-2019-9511). */
    private void part(Http2Stream stream, ByteBuf next, int bytes) {
        if (bytes >= Math.min(next.readableBytes(), CRUMB_BYTES)) {
            budget.dataSent();
        }
        if (bytes < next.readableBytes()) {
            frames(stream, next.readRetainedSlice(bytes), false);
        } else {
            stream.dequeue();
            frames(stream, next, stream.isEndQueued() && !stream.hasQueue());
        }
    }

    /** Whether more would be sent at once. Who is told that it would not is told when that has changed. */
    boolean isWritable(Http2Stream stream) {
        boolean writable =
                stream.isOpen() && !stream.hasQueue() && window > 0 && stream.window() > 0 && channel.isWritable();
        if (!writable) {
            stream.awaitsRoom(true);
            someAwaitRoom = true;
        }
        return writable;
    }

    /** Whether it is the peer's windows that keep a stream from sending. */
    boolean isOutOfWindow(Http2Stream stream) {
        return window <= 0 || stream.window() <= 0;
    }

    private void tellIfWritable(Http2Stream stream) {
        if (stream.awaitsRoom() && isWritable(stream)) {
            stream.awaitsRoom(false);
            stream.writable();
        }
    }

    /** There may be room again, on any stream. */
    void roomForAll(Collection<Http2Stream> streams) {
        advance();
        if (someAwaitRoom) {
            someAwaitRoom = false;
            List.copyOf(streams).forEach(this::tellIfWritable);
        }
    }

    /** The peer has room for more on a stream, or on all of them. */
    void windowUpdate(@Nullable Http2Stream stream, int increment, Collection<Http2Stream> streams) throws Http2Fault {
        if (stream == null) {
            if ((long) window + increment > Integer.MAX_VALUE) {
                throw Http2Fault.ofConnection(ErrorCode.FLOW_CONTROL_ERROR, "a window beyond all bounds");
            }
            window += increment;
            roomForAll(streams);
            return;
        }
        if (!stream.grow(increment)) {
            throw Http2Fault.ofStream(stream.id(), ErrorCode.FLOW_CONTROL_ERROR, "a window beyond all bounds");
        }
        if (stream.hasQueue()) {
            await(stream);
        }
        advance();
        tellIfWritable(stream);
    }

    /** RFC 9113 6.9.2: changes the windows of all streams, which may be less than nothing after that. */
    void initialWindow(int bytes, Collection<Http2Stream> streams) throws Http2Fault {
        if (bytes < 0) {
            throw Http2Fault.ofConnection(ErrorCode.FLOW_CONTROL_ERROR, "a window beyond all bounds");
        }
        int change = bytes - initialWindow;
        initialWindow = bytes;
        for (Http2Stream stream : streams) {
            if (!stream.grow(change)) {
                throw Http2Fault.ofConnection(ErrorCode.FLOW_CONTROL_ERROR, "a window beyond all bounds");
            }
            if (stream.hasQueue()) {
                await(stream);
            }
        }
    }
}
