package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Content that waits. Small pieces are copied into one buffer: each keeps the whole buffer alive that it was read into, and a peer that
 * sends byte by byte would have much more kept than it sends (CVE-2020-12603).
 */
final class ContentQueue {
    private static final int SMALL = 1 << 10;
    private static final int GATHERED = 8 << 10;

    private final ArrayDeque<ByteBuf> pieces = new ArrayDeque<>(4);

    /** Where small pieces go, if it is the last of what waits. */
    private @Nullable ByteBuf gathering;

    boolean isEmpty() {
        return pieces.isEmpty();
    }

    /** Takes over a piece. */
    void add(ByteBuf piece) {
        if (piece.readableBytes() >= SMALL) {
            gathering = null;
            pieces.add(piece);
            return;
        }
        if (gathering == null || gathering.writableBytes() < piece.readableBytes()) {
            gathering = PooledByteBufAllocator.DEFAULT.ioBuffer(GATHERED, GATHERED);
            pieces.add(gathering);
        }
        gathering.writeBytes(piece);
        piece.release();
    }

    /** The first piece, which stays; null if there is none. */
    @Nullable
    ByteBuf first() {
        return pieces.peekFirst();
    }

    /** Hands over the first piece. */
    ByteBuf remove() {
        ByteBuf first = pieces.removeFirst();
        if (pieces.isEmpty()) {
            gathering = null;
        }
        return first;
    }

    void release() {
        pieces.forEach(ByteBuf::release);
        pieces.clear();
        gathering = null;
    }
}
