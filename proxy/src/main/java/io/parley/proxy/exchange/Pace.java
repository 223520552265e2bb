package io.parley.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.parley.wire.http.Fields;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Lets content through at so many bytes a second, a little of it twenty times a second. What comes faster waits. */
final class Pace {
    /** Where content goes, and what time it is. */
    interface Way {
        /** Whether more can be taken now. */
        boolean isOpen();

        void data(ByteBuf content, boolean last);

        void trailers(Fields trailers);

        void flush();

        /** There is room for more, and more is to come. */
        void resume();
    }

    private static final Duration TICK = Duration.ofMillis(50);
    private static final int TICKS_PER_SECOND = 20;
    private static final int ENOUGH = 64 * 1_024;

    private final Way way;
    private final BiConsumer<Duration, Runnable> later;
    private final long perTick;
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();
    private @Nullable Fields trailers;
    private long held;
    private boolean complete;
    private boolean resting;

    /** {@code later} runs what it is given after that time, on the event loop, unless the exchange is over by then. */
    Pace(long bytesPerSecond, Way way, BiConsumer<Duration, Runnable> later) {
        this.perTick = Math.max(1, bytesPerSecond / TICKS_PER_SECOND);
        this.way = way;
        this.later = later;
    }

    /** Whether so much waits that the server should not send more for now. */
    boolean isFull() {
        return held > ENOUGH;
    }

    void data(ByteBuf content, boolean last) {
        waiting.add(content);
        held += content.readableBytes();
        complete = last;
        go();
    }

    void trailers(Fields fields) {
        trailers = fields;
        complete = true;
        go();
    }

    private void go() {
        if (!resting) {
            pass();
        }
    }

    /** After the end nothing of this may be touched: what comes next on the connection may have begun already. */
    private void pass() {
        resting = false;
        long left = way.isOpen() ? perTick : 0;
        while (left > 0 && !waiting.isEmpty()) {
            ByteBuf piece = piece(left);
            left -= piece.readableBytes();
            boolean last = complete && trailers == null && waiting.isEmpty();
            way.data(piece, last);
            if (last) {
                way.flush();
                return;
            }
        }
        Fields end = trailers;
        if (waiting.isEmpty() && end != null) {
            way.trailers(end);
            way.flush();
            return;
        }
        way.flush();
        if (!isFull()) {
            way.resume();
        }
        if (left < perTick) {
            resting = true;
            later.accept(TICK, this::pass);
        }
    }

    private ByteBuf piece(long most) {
        ByteBuf first = waiting.element();
        int size = (int) Math.min(most, first.readableBytes());
        held -= size;
        return size == first.readableBytes() ? waiting.remove() : first.readRetainedSlice(size);
    }

    /** Nothing more passes. */
    void release() {
        waiting.forEach(ByteBuf::release);
        waiting.clear();
        held = 0;
    }
}
