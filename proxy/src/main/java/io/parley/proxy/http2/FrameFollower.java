package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameTypes;

/**
 * Knows whether a peer is in the middle of something: its preface, a frame, or a head in several frames. Netty keeps that to itself, and
 * without it a head that never ends looks like a connection on which nothing happens.
 */
final class FrameFollower {
    private static final int END_HEADERS = 0x4;

    private int preface;
    private int position;
    private int length;
    private int type;
    private int flags;
    private boolean payload;
    private boolean headOpen;
    private int whole;

    /** Follows a peer that begins with a preface of so many bytes. */
    FrameFollower(int preface) {
        this.preface = preface;
    }

    /** Whether nothing can come on other streams, or on any, before the peer goes on with what it has begun. */
    boolean isInHead() {
        return preface > 0 || headOpen;
    }

    /** Whether something has begun that has not ended. */
    boolean isMidway() {
        return isInHead() || position > 0;
    }

    /** How many frames, or heads of several, have ended. */
    int whole() {
        return whole;
    }

    /** Looks at bytes that have come, and leaves them as they are. */
    void follow(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        int skipped = Math.min(preface, end - at);
        preface -= skipped;
        at += skipped;
        while (at < end) {
            if (payload) {
                int passed = Math.min(length, end - at);
                length -= passed;
                at += passed;
            } else {
                header(bytes.getUnsignedByte(at++));
            }
            if (payload && length == 0) {
                ended();
            }
        }
    }

    /** Length in three bytes, type, flags, stream in four (RFC 9113 4.1). */
    private void header(int octet) {
        switch (position++) {
            case 0, 1, 2 -> length = (length << 8) | octet;
            case 3 -> type = octet;
            case 4 -> flags = octet;
            case Http2CodecUtil.FRAME_HEADER_LENGTH - 1 -> {
                payload = true;
                headOpen |= type == Http2FrameTypes.HEADERS;
            }
            default -> {}
        }
    }

    private void ended() {
        payload = false;
        position = 0;
        if ((type == Http2FrameTypes.HEADERS || type == Http2FrameTypes.CONTINUATION) && (flags & END_HEADERS) != 0) {
            headOpen = false;
        }
        if (!headOpen) {
            whole++;
        }
    }
}
