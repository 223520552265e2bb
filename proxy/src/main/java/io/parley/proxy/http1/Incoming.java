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

    /**
     * Passes over one empty line before a request, as old clients send one after a body (RFC 9112 2.2). Says whether anything has come of
     * the request itself.
     */
    boolean skipEmptyLine() {
        int at = held.readerIndex();
        if (held.getByte(at) != Octets.CR) {
            return true;
        }
        if (held.readableBytes() > 1 && held.getByte(at + 1) == Octets.LF) {
            held.skipBytes(2);
            return held.isReadable();
        }
        return held.readableBytes() > 1;
    }

    void clear() {
        held.release();
        held = Unpooled.EMPTY_BUFFER;
    }
}
