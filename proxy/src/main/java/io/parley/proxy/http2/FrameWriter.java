package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.parley.wire.hpack.HpackEncoder;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames (RFC 9113 section 4) one behind the other into the buffer that they leave in; only large content stays in its own. Nothing
 * leaves before it is flushed.
 */
final class FrameWriter {
    /** An entry in the channel's queue and in the kernel's vector costs more than a copy of so many bytes. */
    private static final int SMALL = 1 << 10;

    private static final int CAPACITY = 8 << 10;

    /** As long as most heads are once they are packed. A longer one makes the buffer grow. */
    private static final int USUAL_HEAD = 512;

    private static final int NO_FLAGS = 0;
    private static final int CONNECTION = 0;

    private final ChannelHandlerContext context;
    private final HpackEncoder packing = new HpackEncoder();
    private @Nullable ByteBuf gathered;
    private int maxFrame = Wire.USUAL_FRAME;
    private int answers;
    private int unread;
    private int ends;
    private int leaving;

    FrameWriter(ChannelHandlerContext context) {
        this.context = context;
    }

    /** How large the peer wants frames at most. */
    void maxFrame(int bytes) {
        maxFrame = bytes;
    }

    int maxFrame() {
        return maxFrame;
    }

    /** How much the peer keeps of names and values that it was told. */
    void maxTable(int bytes) {
        packing.maxTableSize(bytes);
    }

    /** How many frames wait for a peer that has made this side write them. */
    int unread() {
        return unread + answers;
    }

    /** How many streams have been ended whose end has not left. */
    int leaving() {
        return leaving + ends;
    }

    private static void header(ByteBuf to, int length, int type, int flags, int stream) {
        to.writeLong((long) length << 40 | (long) type << 32 | (long) flags << 24 | stream >>> 8);
        to.writeByte(stream);
    }

    private ByteBuf room(int bytes) {
        ByteBuf into = gathered;
        if (into != null && into.writableBytes() < bytes) {
            pass();
            into.release();
            into = null;
        }
        if (into == null) {
            into = context.alloc().ioBuffer(CAPACITY);
            gathered = into;
        }
        return into;
    }

    private ByteBuf begin(int length, int type, int flags, int stream) {
        ByteBuf to = room(Wire.FRAME_HEADER + length);
        header(to, length, type, flags, stream);
        return to;
    }

    /** Writes content, of which there is no more than fits in a frame; the buffer is handed over. */
    void data(int stream, ByteBuf content, boolean last) {
        int length = content.readableBytes();
        int flags = last ? Wire.END_STREAM : NO_FLAGS;
        if (length <= SMALL) {
            begin(length, Wire.DATA, flags, stream).writeBytes(content);
            content.release();
            ends += last ? 1 : 0;
        } else {
            header(room(Wire.FRAME_HEADER), length, Wire.DATA, flags, stream);
            pass();
            ends += last ? 1 : 0;
            count(context.write(content));
        }
    }

    void headers(int stream, Fields fields, boolean last) {
        ByteBuf to = room(Wire.FRAME_HEADER + USUAL_HEAD);
        int start = to.writerIndex();
        int flags = last ? Wire.END_STREAM : NO_FLAGS;
        ends += last ? 1 : 0;
        to.writerIndex(start + Wire.FRAME_HEADER);
        packing.encode(fields, to);
        int end = to.writerIndex();
        int length = end - start - Wire.FRAME_HEADER;
        to.writerIndex(start);
        if (length > maxFrame) {
            inSeveral(to, stream, to.copy(start + Wire.FRAME_HEADER, length), flags);
        } else {
            header(to, length, Wire.HEADERS, flags | Wire.END_HEADERS, stream);
            to.writerIndex(end);
        }
    }

    private void inSeveral(ByteBuf to, int stream, ByteBuf head, int flags) {
        header(to, maxFrame, Wire.HEADERS, flags, stream);
        to.writeBytes(head, maxFrame);
        while (head.isReadable()) {
            int length = Math.min(head.readableBytes(), maxFrame);
            int ends = length == head.readableBytes() ? Wire.END_HEADERS : NO_FLAGS;
            header(to, length, Wire.CONTINUATION, ends, stream);
            to.writeBytes(head, length);
        }
        head.release();
    }

    void reset(int stream, ErrorCode code) {
        answers++;
        begin(Integer.BYTES, Wire.RST_STREAM, NO_FLAGS, stream).writeInt(code.number());
    }

    /** Writes settings: names and values in turn. */
    void settings(int... namesAndValues) {
        int count = namesAndValues.length / 2;
        ByteBuf to = begin(count * Wire.SETTING_BYTES, Wire.SETTINGS, NO_FLAGS, CONNECTION);
        for (int i = 0; i < 2 * count; i += 2) {
            to.writeShort(namesAndValues[i]).writeInt(namesAndValues[i + 1]);
        }
    }

    void settingsTaken() {
        answers++;
        begin(0, Wire.SETTINGS, Wire.ACK, CONNECTION);
    }

    void ping(long content) {
        begin(Wire.PING_BYTES, Wire.PING, NO_FLAGS, CONNECTION).writeLong(content);
    }

    void pong(long content) {
        answers++;
        begin(Wire.PING_BYTES, Wire.PING, Wire.ACK, CONNECTION).writeLong(content);
    }

    void goAway(int lastStream, ErrorCode code) {
        begin(Wire.GOAWAY_BYTES, Wire.GOAWAY, NO_FLAGS, CONNECTION)
                .writeInt(lastStream)
                .writeInt(code.number());
    }

    void windowUpdate(int stream, int increment) {
        answers++;
        begin(Integer.BYTES, Wire.WINDOW_UPDATE, NO_FLAGS, stream).writeInt(increment);
    }

    /** Bytes that are no frame. */
    void raw(ByteBuf bytes) {
        pass();
        context.write(bytes);
    }

    /**
     * Puts what was gathered before what is written next, and goes on in the same buffer. It may grow while parts of it wait, as nothing is
     * flushed before the buffer itself is handed over.
     */
    private void pass() {
        ByteBuf bytes = gathered;
        if (bytes != null && bytes.isReadable()) {
            count(context.write(bytes.readRetainedSlice(bytes.readableBytes())));
        }
    }

    void flush() {
        ByteBuf bytes = gathered;
        gathered = null;
        if (bytes != null && bytes.isReadable()) {
            count(context.write(leaving + unread > 0 ? fitting(bytes) : bytes));
        } else if (bytes != null) {
            bytes.release();
        }
        context.flush();
    }

    /** Where writes pile up, a few bytes shall not keep a buffer for many. */
    private ByteBuf fitting(ByteBuf bytes) {
        if (bytes.readableBytes() > CAPACITY / 2) {
            return bytes;
        }
        ByteBuf copy = context.alloc().ioBuffer(bytes.readableBytes()).writeBytes(bytes);
        bytes.release();
        return copy;
    }

    /** What the peer has made this side write, and the ends of streams, count until they have left. */
    private void count(ChannelFuture written) {
        int theseAnswers = answers;
        int theseEnds = ends;
        if (theseAnswers + theseEnds > 0) {
            answers = 0;
            ends = 0;
            unread += theseAnswers;
            leaving += theseEnds;
            written.addListener(_ -> {
                unread -= theseAnswers;
                leaving -= theseEnds;
            });
        }
    }

    /** Nothing more is written. */
    void close() {
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
    }
}
