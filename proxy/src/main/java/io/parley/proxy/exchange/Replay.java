package io.parley.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.parley.proxy.pool.ClientStream;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/**
 * What was sent of a request, kept in case it must be sent again. As a rule a request is one piece, of which only a reference is kept;
 * pieces are put together only where a policy asks for it, up to a limit. What is too much is not kept, and passes all the same.
 */
final class Replay {
    /** Enough for what is worth sending twice (Envoy's default is the same order). */
    private static final int MAX_BYTES = 64 * 1_024;

    private @Nullable ByteBuf kept;
    private @Nullable Fields trailers;
    private int start;
    private int length;

    /** Whether what is kept is in a buffer of this one's own, to which more can be added. */
    private boolean gathered;

    private boolean whole;
    private boolean complete;

    /** Another request begins. */
    void begin() {
        whole = true;
    }

    /** Notes bytes that are about to be sent; they stay the caller's. */
    void keep(ByteBuf bytes, boolean last, boolean pieces) {
        int more = bytes.readableBytes();
        boolean fits = length + more <= MAX_BYTES && (pieces || length == 0);
        if (whole && (fits || more == 0)) {
            add(bytes, last);
        } else {
            giveUp();
        }
    }

    /** Takes bytes over that come between two tries. Whoever sends them has been told to wait, so that there is an end to them. */
    void hold(ByteBuf bytes, boolean last) {
        if (whole) {
            add(bytes, last);
        }
        bytes.release();
    }

    private void add(ByteBuf bytes, boolean last) {
        int more = bytes.readableBytes();
        ByteBuf before = kept;
        if (more > 0 && before == null) {
            kept = bytes.retain();
            start = bytes.readerIndex();
        } else if (more > 0 && before != null) {
            gathering(before, more).writeBytes(bytes, bytes.readerIndex(), more);
        }
        length += more;
        complete = last;
    }

    /** A buffer that grows: with a new one for each piece, many small ones would be copied over and over. */
    private ByteBuf gathering(ByteBuf before, int more) {
        if (gathered) {
            return before;
        }
        ByteBuf own = before.alloc().buffer(length + more).writeBytes(before, start, length);
        before.release();
        kept = own;
        start = 0;
        gathered = true;
        return own;
    }

    /** Notes the end of a request that has trailers. */
    void keep(Fields fields) {
        trailers = fields;
        complete = whole;
    }

    /** Whether all that was sent so far can be sent again. */
    boolean isWhole() {
        return whole;
    }

    /** Whether that is the whole request. */
    boolean isComplete() {
        return complete;
    }

    /** Sends it again, the head only if that is in the bytes. */
    void resend(ClientStream to, boolean wire, boolean bodyless) {
        boolean last = complete && trailers == null;
        if (wire) {
            to.wire(bytes(), last);
        } else if (!bodyless && (length > 0 || last)) {
            to.data(bytes(), last);
        }
        if (trailers != null) {
            to.trailers(Fields.copyOf(trailers));
        }
        to.flush();
    }

    /** The bytes, for another sending: what comes after them goes into another buffer. */
    ByteBuf bytes() {
        gathered = false;
        return kept == null ? Unpooled.EMPTY_BUFFER : kept.retainedSlice(start, length);
    }

    /** Nothing will be sent again: forgets everything, and keeps nothing more of this request. */
    void giveUp() {
        if (kept != null) {
            kept.release();
            kept = null;
        }
        trailers = null;
        length = 0;
        gathered = false;
        complete = false;
        whole = false;
    }

    /** The head is all there is. */
    void bodyless() {
        complete = true;
    }
}
