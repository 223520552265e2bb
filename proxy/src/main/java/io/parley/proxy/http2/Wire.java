package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** The numbers of HTTP/2's frames (RFC 9113 sections 4 and 6). */
final class Wire {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int ACK = 0x1;
    static final int END_STREAM = 0x1;
    static final int END_HEADERS = 0x4;
    static final int PADDED = 0x8;
    static final int PRIORITISED = 0x20;

    static final int HEADER_TABLE_SIZE = 1;
    static final int ENABLE_PUSH = 2;
    static final int MAX_CONCURRENT_STREAMS = 3;
    static final int INITIAL_WINDOW_SIZE = 4;
    static final int MAX_FRAME_SIZE = 5;
    static final int MAX_HEADER_LIST_SIZE = 6;
    static final int ENABLE_CONNECT_PROTOCOL = 8;

    /** Before each frame: length in three bytes, type, flags, stream in four. */
    static final int FRAME_HEADER = 9;

    static final int SETTING_BYTES = 6;
    static final int PRIORITY_BYTES = 5;
    static final int PING_BYTES = 8;
    static final int GOAWAY_BYTES = 8;

    /** What every peer takes, and all that is taken from a peer. */
    static final int USUAL_FRAME = 1 << 14;

    static final int LARGEST_FRAME = (1 << 24) - 1;
    static final int USUAL_WINDOW = 65_535;
    static final int USUAL_TABLE = 4_096;

    /** The highest bit of a stream's number is to be passed over. */
    static final int STREAM_BITS = Integer.MAX_VALUE;

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    static final int PREFACE_BYTES = PREFACE.length;

    private Wire() {}

    static byte preface(int at) {
        return PREFACE[at];
    }

    /** What a client begins with. */
    static ByteBuf preface() {
        return Unpooled.wrappedBuffer(PREFACE);
    }
}
