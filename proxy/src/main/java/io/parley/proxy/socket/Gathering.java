package io.parley.proxy.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.unix.IovArray;

/** Sends what waits for a socket, all of it in one system call if the kernel takes so much. Has memory for a list of buffers, which is its event loop's. */
final class Gathering {
    /** More are sent by another call. */
    private static final int MOST_BUFFERS = 256;

    private final IovArray list = new IovArray(MOST_BUFFERS);

    /** A copy that the kernel can read; what it was made of is released. */
    static ByteBuf direct(ByteBuf bytes, ByteBufAllocator allocator) {
        ByteBuf direct = allocator.directBuffer(Math.max(1, bytes.readableBytes()));
        direct.writeBytes(bytes, bytes.readerIndex(), bytes.readableBytes());
        bytes.release();
        return direct;
    }

    /**
     * Sends some or all of it.
     *
     * @return whether the kernel took all that it was offered
     */
    boolean send(ChannelOutboundBuffer waiting, TcpDescriptor to) throws Exception {
        ByteBuf first = (ByteBuf) waiting.current();
        if (waiting.size() > 1 || !first.hasMemoryAddress()) {
            return sendMany(waiting, to);
        }
        int offered = first.readableBytes();
        int taken = offered == 0 ? 0 : to.sendAddress(first.memoryAddress(), first.readerIndex(), first.writerIndex());
        waiting.removeBytes(taken);
        return taken == offered;
    }

    private boolean sendMany(ChannelOutboundBuffer waiting, TcpDescriptor to) throws Exception {
        list.clear();
        waiting.forEachFlushedMessage(list);
        // What is sent may free a buffer whose owner sends something else at once, by the same list.
        long bytes = list.size();
        long taken = bytes == 0 ? 0 : to.writevAddresses(list.memoryAddress(0), list.count());
        waiting.removeBytes(taken);
        return taken == bytes;
    }

    void free() {
        list.release();
    }
}
