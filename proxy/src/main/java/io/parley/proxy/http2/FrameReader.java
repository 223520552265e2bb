package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of one peer (RFC 9113 sections 4 and 6), strictly. Content is passed on as it comes; of any other frame all bytes are
 * waited for, of which there are never more than {@link Wire#USUAL_FRAME}.
 */
final class FrameReader {
    private final FrameSink sink;
    private final HeadReader heads;
    private final ByteBufAllocator allocator;
    private final byte[] header = new byte[Wire.FRAME_HEADER];

    /** How many bytes of the preface are still to come. */
    private int preface;

    private int headerBytes;
    private boolean headerDone;
    private boolean settled;
    private int length;
    private int type;
    private int flags;
    private int stream;

    /** What there is of a frame that has not come as a whole. */
    private @Nullable ByteBuf partial;

    private boolean padKnown;
    private int content;
    private int padding;
    private int whole;
    private boolean stopped;

    /** Reads what a client sends, which begins with a preface, or what a server sends. */
    FrameReader(boolean fromClient, int maxHead, FrameSink sink, ByteBufAllocator allocator) {
        this.preface = fromClient ? Wire.PREFACE_BYTES : 0;
        this.sink = sink;
        this.heads = new HeadReader(maxHead, sink, allocator);
        this.allocator = allocator;
    }

    /** Whether something has begun that has not ended: nothing else can come before it has. */
    boolean isMidway() {
        return preface > 0 || heads.isOpen() || headerDone || headerBytes > 0;
    }

    /** The stream whose content is coming; 0 if it is not content that has begun. */
    int contentOf() {
        return headerDone && type == Wire.DATA ? stream : 0;
    }

    /** How many frames, or heads of several, have ended. */
    int whole() {
        return whole;
    }

    /** Reads all of these bytes, which stay the caller's. */
    void read(ByteBuf bytes) throws Http2Fault {
        while (!stopped && (bytes.isReadable() || isEmptyFrame())) {
            if (preface > 0) {
                preface(bytes);
            } else if (!headerDone) {
                header(bytes);
            } else if (type == Wire.DATA) {
                data(bytes);
            } else {
                payload(bytes);
            }
        }
    }

    /** Whatever else has come is not looked at. */
    void stop() {
        stopped = true;
    }

    /** Gives back what was kept of what has not come as a whole. */
    void close() {
        if (partial != null) {
            partial.release();
            partial = null;
        }
        heads.close();
    }

    /** One of which all has come with its header. */
    private boolean isEmptyFrame() {
        return headerDone && type != Wire.DATA && length == 0;
    }

    private void preface(ByteBuf bytes) throws Http2Fault {
        while (preface > 0 && bytes.isReadable()) {
            if (bytes.readByte() != Wire.preface(Wire.PREFACE_BYTES - preface)) {
                throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "this is no preface of HTTP/2");
            }
            preface--;
        }
    }

    private void header(ByteBuf bytes) throws Http2Fault {
        int wanted = Math.min(Wire.FRAME_HEADER - headerBytes, bytes.readableBytes());
        bytes.readBytes(header, headerBytes, wanted);
        headerBytes += wanted;
        if (headerBytes < Wire.FRAME_HEADER) {
            return;
        }
        headerBytes = 0;
        headerDone = true;
        length = (header[0] & 0xff) << 16 | (header[1] & 0xff) << 8 | (header[2] & 0xff);
        type = header[3] & 0xff;
        flags = header[4] & 0xff;
        stream = ((header[5] & 0xff) << 24 | (header[6] & 0xff) << 16 | (header[7] & 0xff) << 8 | (header[8] & 0xff))
                & Wire.STREAM_BITS;
        FrameRules.check(type, flags, stream, length);
        heads.checkOrder(type, stream);
        if (!settled && (type != Wire.SETTINGS || (flags & Wire.ACK) != 0)) {
            throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "a peer must begin with SETTINGS");
        }
        settled = true;
        if (type == Wire.DATA) {
            dataBegins();
        }
    }

    private boolean is(int flag) {
        return (flags & flag) != 0;
    }

    private void dataBegins() throws Http2Fault {
        content = length;
        padding = 0;
        padKnown = !is(Wire.PADDED);
        try {
            sink.dataBegins(stream, length, is(Wire.END_STREAM));
        } catch (Http2Fault fault) {
            pass(fault);
        }
        if (padKnown && length == 0) {
            piece(Unpooled.EMPTY_BUFFER);
            ended();
        }
    }

    private void data(ByteBuf bytes) throws Http2Fault {
        if (!padKnown) {
            padKnown = true;
            padding = bytes.readUnsignedByte();
            content = length - 1 - padding;
            if (content < 0) {
                throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "more padding than the frame has bytes");
            }
            sink.padding(stream, padding + 1);
            if (content == 0) {
                piece(Unpooled.EMPTY_BUFFER);
            }
        } else if (content > 0) {
            int here = Math.min(content, bytes.readableBytes());
            content -= here;
            piece(bytes.readRetainedSlice(here));
        } else {
            int here = Math.min(padding, bytes.readableBytes());
            padding -= here;
            bytes.skipBytes(here);
        }
        if (padKnown && content + padding == 0) {
            ended();
        }
    }

    private void piece(ByteBuf bytes) throws Http2Fault {
        try {
            sink.data(stream, bytes, content == 0 && is(Wire.END_STREAM));
        } catch (Http2Fault fault) {
            pass(fault);
        }
    }

    private void pass(Http2Fault fault) throws Http2Fault {
        if (fault.endsConnection()) {
            throw fault;
        }
        sink.failed(fault);
    }

    private void payload(ByteBuf bytes) throws Http2Fault {
        if (partial == null && bytes.readableBytes() >= length) {
            frame(bytes);
            return;
        }
        if (partial == null) {
            partial = allocator.buffer(length, length);
        }
        partial.writeBytes(bytes, Math.min(length - partial.readableBytes(), bytes.readableBytes()));
        if (partial.readableBytes() == length) {
            ByteBuf all = partial;
            try {
                frame(all);
            } finally {
                partial = null;
                all.release();
            }
        }
    }

    /** Reads the frame that these bytes begin with, and leaves what comes after it. */
    private void frame(ByteBuf bytes) throws Http2Fault {
        int end = bytes.readerIndex() + length;
        int limit = bytes.writerIndex();
        bytes.writerIndex(end);
        try {
            dispatch(bytes);
        } catch (Http2Fault fault) {
            pass(fault);
        }
        bytes.setIndex(end, limit);
        ended();
    }

    private void ended() {
        headerDone = false;
        if (!heads.isOpen()) {
            whole++;
        }
    }

    private void dispatch(ByteBuf payload) throws Http2Fault {
        switch (type) {
            case Wire.HEADERS -> heads.headers(stream, flags, payload);
            case Wire.CONTINUATION -> heads.continuation(flags, payload);
            case Wire.PRIORITY -> {
                sink.priority();
                FrameRules.priority(stream, payload);
            }
            case Wire.RST_STREAM -> sink.reset(stream, payload.readInt());
            case Wire.SETTINGS -> settings(payload);
            case Wire.PING -> {
                if (is(Wire.ACK)) {
                    sink.meaningless(type);
                } else {
                    sink.ping(payload.readLong());
                }
            }
            case Wire.GOAWAY -> sink.goAway(payload.readInt() & Wire.STREAM_BITS, payload.readInt());
            case Wire.WINDOW_UPDATE -> sink.windowUpdate(stream, payload.readInt() & Wire.STREAM_BITS);
            default -> sink.meaningless(type);
        }
    }

    private void settings(ByteBuf payload) throws Http2Fault {
        if (is(Wire.ACK)) {
            sink.settingsHeard();
            return;
        }
        while (payload.isReadable()) {
            sink.setting(payload.readUnsignedShort(), payload.readInt());
        }
        sink.settingsEnd();
    }
}
