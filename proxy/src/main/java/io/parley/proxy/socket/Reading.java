package io.parley.proxy.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.util.UncheckedBooleanSupplier;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What comes in on a socket: what the kernel has reported of it, whether somebody wants it, and how it is read. */
final class Reading {
    private final EdgeSocket socket;

    /** The kernel has reported bytes or the end, and nobody has seen yet that there are no more. */
    private boolean readable;

    /** Somebody wants to read. */
    private boolean wanted;

    /** Somebody has asked for one more read since the last one. */
    private boolean asked;

    /** The other side has sent its last byte: only a read of nothing has read all then. */
    private boolean ended;

    /** The end, or a failure, is read for even if nobody wants to read, and what came before it: whoever has stopped reading must hear of it. */
    private boolean endIsNews;

    /** The kernel has reported a failure. */
    private boolean failed;

    /** There was urgent data, at which the kernel ends a read: from then on a short one may leave some. */
    private boolean urgent;

    Reading(EdgeSocket socket) {
        this.socket = socket;
    }

    /** Notes what the kernel has reported, of what concerns reading. */
    void reported(int events) {
        urgent |= Events.has(events, Events.URGENT);
        failed |= Events.has(events, Events.ERROR);
        if (Events.has(events, Events.END | Events.ERROR | Events.HANG_UP)) {
            readable = true;
            endIsNews |= !ended || Events.has(events, Events.ERROR);
            ended = true;
        } else if (Events.has(events, Events.BYTES)) {
            readable = true;
        }
    }

    boolean isDue() {
        return readable && (wanted || endIsNews);
    }

    boolean hasFailed() {
        return failed;
    }

    /** Whether a read that did not fill its buffer has emptied the socket. */
    boolean isEmptiedByShortRead() {
        return !ended && !urgent;
    }

    boolean isWanted() {
        return wanted;
    }

    void want() {
        asked = true;
        wanted = true;
    }

    void stop() {
        asked = false;
        wanted = false;
    }

    /** The same, unless somebody has asked for one more since. */
    void stopIfNotAsked() {
        if (!asked) {
            wanted = false;
        }
    }

    /** All that was reported has been seen to. */
    void emptied() {
        readable = false;
        endIsNews = false;
    }

    /** Reads some buffers. What is left is still readable then. */
    void read() {
        readable = false;
        ExtendedHandle sizes = (ExtendedHandle) socket.unsafe().recvBufAllocHandle();
        sizes.reset(socket.config());
        Throwable failure = null;
        try {
            do {
                readOne(sizes);
            } while (mayHaveMore(sizes)
                    && socket.isOpen()
                    && sizes.continueReading(UncheckedBooleanSupplier.TRUE_SUPPLIER));
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            failure = e;
        }
        finish(sizes, failure);
    }

    private boolean mayHaveMore(ExtendedHandle sizes) {
        boolean filled = sizes.lastBytesRead() == sizes.attemptedBytesRead();
        return sizes.lastBytesRead() > 0 && (filled || !isEmptiedByShortRead());
    }

    private void readOne(ExtendedHandle sizes) throws IOException {
        ByteBuf buffer = socket.alloc().directBuffer(sizes.guess());
        int bytes = 0;
        try {
            sizes.attemptedBytesRead(buffer.writableBytes());
            bytes = receive(buffer);
        } finally {
            sizes.lastBytesRead(bytes);
            if (bytes <= 0) {
                buffer.release();
            }
        }
        if (bytes > 0) {
            buffer.writerIndex(buffer.writerIndex() + bytes);
            sizes.incMessagesRead(1);
            asked = false;
            socket.pipeline().fireChannelRead(buffer);
        }
    }

    /** How many bytes; none if there are none now, -1 at the end. */
    private int receive(ByteBuf buffer) throws IOException {
        if (buffer.hasMemoryAddress()) {
            return socket.descriptor().recvAddress(buffer.memoryAddress(), buffer.writerIndex(), buffer.capacity());
        }
        ByteBuffer room = buffer.internalNioBuffer(buffer.writerIndex(), buffer.writableBytes());
        return socket.descriptor().recv(room, room.position(), room.limit());
    }

    private void finish(ExtendedHandle sizes, @Nullable Throwable failure) {
        ChannelPipeline pipeline = socket.pipeline();
        readable |= failure == null && mayHaveMore(sizes);
        endIsNews &= readable;
        sizes.readComplete();
        pipeline.fireChannelReadComplete();
        if (failure != null) {
            pipeline.fireExceptionCaught(failure);
            socket.closeNow();
        } else if (sizes.lastBytesRead() < 0 && !socket.isBroken()) {
            socket.inputEnded();
        }
        if (!socket.config().isAutoRead()) {
            stopIfNotAsked();
        }
    }
}
