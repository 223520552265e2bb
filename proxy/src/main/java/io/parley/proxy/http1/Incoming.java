package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.parley.wire.http.Octets;

/** The bytes that have come and are not dealt with yet. As a rule one read is one message, and its buffer passes on as it is. */
final class Incoming {
    private ByteBuf held = Unpooled.EMPTY_BUFFER;

    void add(ByteBufAllocator allocator, ByteBuf in) {
        if (held.isReadable()) {
            held = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(allocator, held, in);
        } else {
            held.release();
            held = in;
        }
    }

    /** For looking at; what is dealt with is taken or skipped here. */
    ByteBuf bytes() {
        return held;
    }

    boolean isEmpty() {
        return !held.isReadable();
    }

    int size() {
        return held.readableBytes();
    }

    /** Hands over the first bytes: the buffer itself if there are no others. */
    ByteBuf take(int length) {
        if (length < held.readableBytes()) {
            return held.readRetainedSlice(length);
        }
        ByteBuf all = held;
        held = Unpooled.EMPTY_BUFFER;
        return all;
    }

    ByteBuf takeAll() {
        return take(held.readableBytes());
    }

    void skip(int length) {
        held.skipBytes(length);
    }

    /** RFC 9112 2.2: one empty line before a request is passed over, as old clients send one after a body. */
    void skipEmptyLine() {
        int at = held.readerIndex();
        if (held.readableBytes() > 2 && held.getByte(at) == Octets.CR && held.getByte(at + 1) == Octets.LF) {
            held.skipBytes(2);
        }
    }

    void clear() {
        held.release();
        held = Unpooled.EMPTY_BUFFER;
    }
}
