package io.parley.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.parley.proxy.pool.ClientStream;
import org.jspecify.annotations.Nullable;

/**
 * What was sent of a request, kept in case it must be sent again. As a rule a request is one piece, of which only a reference is kept;
 * pieces are put together only where a policy asks for it, up to a limit.
 */
final class Replay {
    /** Enough for what is worth sending twice (Envoy's default is the same order). */
    private static final int MAX_BYTES = 64 * 1_024;

    private @Nullable ByteBuf kept;
    private int start;
    private int length;
    private boolean complete;
    private boolean lost;
    private boolean joined;

    /** Notes bytes that are about to be sent; they stay the caller's. */
    void keep(ByteBuf bytes, boolean last, boolean pieces) {
        int more = bytes.readableBytes();
        if (lost) {
            return;
        }
        if (kept == null && more > MAX_BYTES) {
            lose();
        } else if (kept == null) {
            kept = bytes.retain();
            start = bytes.readerIndex();
            length = more;
        } else if (more > 0 && pieces && length + more <= MAX_BYTES) {
            join(kept, bytes, more);
        } else if (more > 0) {
            lose();
        }
        complete = last && !lost;
    }

    /** Into a buffer that grows: a copy for each piece would make the work for many small ones that of the square of their number. */
    private void join(ByteBuf before, ByteBuf bytes, int more) {
        ByteBuf all = joined ? before : before.alloc().buffer(length + more, MAX_BYTES);
        if (!joined) {
            joined = true;
            all.writeBytes(before, start, length);
            before.release();
            kept = all;
            start = 0;
        }
        all.writeBytes(bytes, bytes.readerIndex(), more);
        length += more;
    }

    /** Whatever else there is of the request is for one server alone. */
    void lose() {
        release();
        lost = true;
    }

    /** Whether the whole request can be sent again. */
    boolean isComplete() {
        return complete;
    }

    /** Sends it again, the head only if that is in the bytes. */
    void resend(ClientStream to, boolean wire, boolean bodyless) {
        if (wire) {
            to.wire(bytes(), true);
        } else if (!bodyless) {
            to.data(bytes(), true);
        }
        to.flush();
    }

    /** The bytes, for another sending. */
    ByteBuf bytes() {
        return kept == null ? Unpooled.EMPTY_BUFFER : kept.retainedSlice(start, length);
    }

    /** Forgets everything. */
    void release() {
        if (kept != null) {
            kept.release();
            kept = null;
        }
        length = 0;
        complete = false;
        lost = false;
        joined = false;
    }

    /** The head is all there is. */
    void bodyless() {
        complete = true;
    }
}
