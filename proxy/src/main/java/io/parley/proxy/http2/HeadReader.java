package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.parley.wire.hpack.HpackDecoder;
import io.parley.wire.hpack.HpackException;
import org.jspecify.annotations.Nullable;

/** Reads heads, which come in one frame or in several that follow one another (RFC 9113 section 4.3). */
final class HeadReader {
    /** Shorter ones than this that are not the last are of no use but to be many (CVE-2024-27316 and its kin). */
    private static final int SMALL_FRAGMENT = 1 << 10;

    private static final int MAX_SMALL_FRAGMENTS = 16;

    private final HpackDecoder unpacking = new HpackDecoder(Wire.USUAL_TABLE);
    private final HeadCollector collector;
    private final FrameSink sink;
    private final ByteBufAllocator allocator;

    /** Packed, a head is hardly ever larger than unpacked. */
    private final int maxBlock;

    private int stream;
    private boolean last;
    private boolean open;
    private int smallFragments;
    private @Nullable ByteBuf block;

    /** What is wrong with the stream, which is told when its head has been read: the table of names must be kept up. */
    private @Nullable Http2Fault fault;

    HeadReader(int maxHead, FrameSink sink, ByteBufAllocator allocator) {
        this.collector = new HeadCollector(maxHead);
        this.maxBlock = Math.max(2 * maxHead, Wire.USUAL_FRAME);
        this.sink = sink;
        this.allocator = allocator;
    }

    /** Whether a head has begun that has not ended. */
    boolean isOpen() {
        return open;
    }

    /** Between the frames of a head there is no other. */
    void checkOrder(int type, int ofStream) throws Http2Fault {
        if (open != (type == Wire.CONTINUATION) || (open && ofStream != stream)) {
            throw Http2Fault.ofConnection(
                    ErrorCode.PROTOCOL_ERROR,
                    open ? "a head must be ended before anything else" : "CONTINUATION of nothing");
        }
    }

    void headers(int ofStream, int flags, ByteBuf payload) throws Http2Fault {
        stream = ofStream;
        last = (flags & Wire.END_STREAM) != 0;
        smallFragments = 0;
        fault = null;
        int padding = (flags & Wire.PADDED) != 0 ? payload.readUnsignedByte() : 0;
        int priority = (flags & Wire.PRIORITISED) != 0 ? Wire.PRIORITY_BYTES : 0;
        if (padding + priority > payload.readableBytes()) {
            throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "more padding than the frame has bytes");
        }
        if (priority > 0) {
            try {
                FrameRules.dependency(stream, payload);
            } catch (Http2Fault e) {
                fault = e;
            }
        }
        payload.writerIndex(payload.writerIndex() - padding);
        if ((flags & Wire.END_HEADERS) != 0) {
            decode(payload);
        } else {
            open = true;
            append(payload);
        }
    }

    void continuation(int flags, ByteBuf payload) throws Http2Fault {
        boolean end = (flags & Wire.END_HEADERS) != 0;
        if (!end && payload.readableBytes() < SMALL_FRAGMENT && ++smallFragments > MAX_SMALL_FRAGMENTS) {
            throw Http2Fault.flood("continuation-flood");
        }
        append(payload);
        if (end && block != null) {
            open = false;
            ByteBuf all = block;
            try {
                decode(all);
            } finally {
                block = null;
                all.release();
            }
        }
    }

    private void append(ByteBuf fragment) throws Http2Fault {
        if (block == null) {
            block = allocator.buffer(fragment.readableBytes());
        }
        if (block.readableBytes() + fragment.readableBytes() > maxBlock) {
            throw Http2Fault.flood("head-too-large");
        }
        block.writeBytes(fragment);
    }

    private void decode(ByteBuf bytes) throws Http2Fault {
        collector.begin();
        try {
            unpacking.decode(bytes, collector);
        } catch (HpackException e) {
            throw Http2Fault.ofConnection(ErrorCode.COMPRESSION_ERROR, String.valueOf(e.getMessage()));
        }
        if (fault != null) {
            throw fault;
        }
        if (collector.isTooLarge()) {
            sink.headTooLarge(stream, last);
        } else {
            sink.head(stream, collector.fields(), collector.flaw(), last);
        }
    }

    void close() {
        if (block != null) {
            block.release();
            block = null;
        }
    }
}
