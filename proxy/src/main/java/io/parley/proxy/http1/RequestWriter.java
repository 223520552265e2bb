package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Map;

/** Writes a request that is a value, and its content, as HTTP/1.1. */
final class RequestWriter {
    private static final AsciiString PROTOCOL = new AsciiString(":protocol");
    private static final AsciiString LENGTH = new AsciiString("content-length");
    private static final AsciiString KEY = new AsciiString("sec-websocket-key");
    /** Only in a head that came from HTTP/1 with a chunked body, which is passed on with its chunks. */
    private static final AsciiString CODING = new AsciiString("transfer-encoding");

    private static final AsciiString EMPTY = AsciiString.EMPTY_STRING;

    private boolean chunking;
    private boolean upgrade;
    private boolean tunnel;
    private String key = "";

    void reset() {
        chunking = false;
        upgrade = false;
        tunnel = false;
        key = "";
    }

    boolean isUpgrade() {
        return upgrade;
    }

    String key() {
        return key;
    }

    /** From now on content is bytes that nobody frames. */
    void tunnel() {
        chunking = false;
        tunnel = true;
    }

    boolean isTunnel() {
        return tunnel;
    }

    ByteBuf head(ByteBufAllocator allocator, Http2Headers head, boolean last) {
        ByteBuf out = allocator.buffer(512);
        CharSequence protocol = head.get(PROTOCOL);
        upgrade = protocol != null;
        HeadWriter.requestLine(
                upgrade ? "GET" : or(head.method(), EMPTY), or(head.path(), EMPTY), or(head.authority(), EMPTY), out);
        if (protocol != null) {
            upgrade(head, protocol, out);
        } else if (!head.contains(LENGTH) && !head.contains(CODING)) {
            frame(head.method(), last, out);
        }
        HeadWriter.fields(head, out);
        HeadWriter.end(out);
        return out;
    }

    /** RFC 9110 8.6: a request that usually has content says that it has none; some servers wait for it otherwise. */
    private void frame(CharSequence method, boolean last, ByteBuf out) {
        if (!last) {
            chunking = true;
            HeadWriter.field("transfer-encoding", "chunked", out);
        } else if (AsciiString.contentEquals(method, "POST")
                || AsciiString.contentEquals(method, "PUT")
                || AsciiString.contentEquals(method, "PATCH")) {
            HeadWriter.field(LENGTH, "0", out);
        }
    }

    private static CharSequence or(CharSequence value, CharSequence absent) {
        return value == null ? absent : value;
    }

    private void upgrade(Http2Headers head, CharSequence protocol, ByteBuf out) {
        CharSequence sent = head.get(KEY);
        key = sent == null ? "" : sent.toString();
        HeadWriter.field("connection", "upgrade", out);
        HeadWriter.field("upgrade", protocol, out);
    }

    ByteBuf content(ByteBufAllocator allocator, ByteBuf content, boolean last) {
        return chunking ? Chunks.of(allocator, content, last) : content;
    }

    ByteBuf trailers(ByteBufAllocator allocator, Http2Headers trailers) {
        return chunking ? Chunks.end(allocator, trailers) : Unpooled.EMPTY_BUFFER;
    }

    /** Chunked content, as this proxy frames it. */
    static final class Chunks {
        private static final byte[] LAST = {'0', '\r', '\n', '\r', '\n'};

        private Chunks() {}

        static ByteBuf of(ByteBufAllocator allocator, ByteBuf content, boolean last) {
            int length = content.readableBytes();
            ByteBuf out = allocator.buffer(length + 24);
            if (length > 0) {
                ByteBufUtil.writeAscii(out, Integer.toHexString(length));
                out.writeByte('\r')
                        .writeByte('\n')
                        .writeBytes(content)
                        .writeByte('\r')
                        .writeByte('\n');
            }
            content.release();
            if (last) {
                out.writeBytes(LAST);
            }
            return out;
        }

        static ByteBuf end(ByteBufAllocator allocator, Http2Headers trailers) {
            ByteBuf out = allocator.buffer(64);
            out.writeByte('0').writeByte('\r').writeByte('\n');
            for (Map.Entry<CharSequence, CharSequence> field : trailers) {
                HeadWriter.field(field.getKey(), field.getValue(), out);
            }
            HeadWriter.end(out);
            return out;
        }
    }
}
