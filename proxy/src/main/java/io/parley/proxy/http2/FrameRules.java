package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;

/** What can be wrong with a frame by itself, whatever came before it (RFC 9113 sections 4.2 and 6). */
final class FrameRules {
    private FrameRules() {}

    /** Looks at what stands before a frame. */
    static void check(int type, int flags, int stream, int length) throws Http2Fault {
        if (length > Wire.USUAL_FRAME) {
            throw size(type, length);
        }
        switch (type) {
            case Wire.DATA, Wire.HEADERS -> {
                ofStream(type, stream);
                atLeast((flags & Wire.PADDED) != 0 ? 1 : 0, type, length);
            }
            case Wire.CONTINUATION, Wire.PRIORITY -> ofStream(type, stream);
            case Wire.RST_STREAM -> {
                ofStream(type, stream);
                exactly(Integer.BYTES, type, length);
            }
            case Wire.SETTINGS -> {
                ofConnection(type, stream);
                if (length % Wire.SETTING_BYTES != 0 || ((flags & Wire.ACK) != 0 && length > 0)) {
                    throw size(type, length);
                }
            }
            case Wire.PING -> {
                ofConnection(type, stream);
                exactly(Wire.PING_BYTES, type, length);
            }
            case Wire.GOAWAY -> {
                ofConnection(type, stream);
                atLeast(Wire.GOAWAY_BYTES, type, length);
            }
            case Wire.WINDOW_UPDATE -> exactly(Integer.BYTES, type, length);
            case Wire.PUSH_PROMISE ->
                throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "PUSH_PROMISE, which nobody may send here");
            default -> {}
        }
    }

    /**
     * Streams have no priorities any more (RFC 9113 section 5.3); what says that there are must still be right. It may be about a stream that
     * nobody has begun, which cannot be reset: the connection ends.
     */
    static void priority(int stream, ByteBuf payload) throws Http2Fault {
        if (payload.readableBytes() != Wire.PRIORITY_BYTES) {
            throw size(Wire.PRIORITY, payload.readableBytes());
        }
        if ((payload.readInt() & Wire.STREAM_BITS) == stream) {
            throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "a stream cannot depend on itself");
        }
    }

    /** Passes over which stream the one that begins shall come after, and with what weight. */
    static void dependency(int stream, ByteBuf payload) throws Http2Fault {
        int parent = payload.readInt() & Wire.STREAM_BITS;
        payload.skipBytes(1);
        if (parent == stream) {
            throw Http2Fault.ofStream(stream, ErrorCode.PROTOCOL_ERROR, "a stream cannot depend on itself");
        }
    }

    private static void ofStream(int type, int stream) throws Http2Fault {
        if (stream == 0) {
            throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "frame of type " + type + " belongs to a stream");
        }
    }

    private static void ofConnection(int type, int stream) throws Http2Fault {
        if (stream != 0) {
            throw Http2Fault.ofConnection(
                    ErrorCode.PROTOCOL_ERROR, "frame of type " + type + " belongs to no stream, and is on " + stream);
        }
    }

    private static void exactly(int bytes, int type, int length) throws Http2Fault {
        if (length != bytes) {
            throw size(type, length);
        }
    }

    private static void atLeast(int bytes, int type, int length) throws Http2Fault {
        if (length < bytes) {
            throw size(type, length);
        }
    }

    private static Http2Fault size(int type, int length) {
        return Http2Fault.ofConnection(
                ErrorCode.FRAME_SIZE_ERROR, "frame of type " + type + " with a length of " + length);
    }
}
