package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** Writes a request that is a value, and its content, as HTTP/1.1. */
final class RequestWriter {
    private static final AsciiString KEY = AsciiString.cached("sec-websocket-key");
    private static final AsciiString GET = AsciiString.cached("GET");
    private static final AsciiString POST = AsciiString.cached("POST");
    private static final AsciiString PUT = AsciiString.cached("PUT");
    private static final AsciiString PATCH = AsciiString.cached("PATCH");

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

    ByteBuf head(ByteBufAllocator allocator, Fields head, boolean last) {
        ByteBuf out = allocator.buffer(512);
        AsciiString protocol = head.protocol();
        upgrade = protocol != null;
        AsciiString method = upgrade ? GET : orEmpty(head.method());
        HeadWriter.requestLine(method, orEmpty(head.path()), orEmpty(head.authority()), out);
        if (protocol != null) {
            upgrade(head, protocol, out);
        } else if (!isFramed(head)) {
            frame(method, last, out);
        }
        HeadWriter.fields(head, out);
        HeadWriter.end(out);
        return out;
    }

    /** A coding is only in a head that came from HTTP/1 with a chunked body, which is passed on with its chunks. */
    private static boolean isFramed(Fields head) {
        return head.contains(HeadWriter.LENGTH) || head.contains(HeadWriter.CODING);
    }

    /** RFC 9110 8.6: a request that usually has content says that it has none; some servers wait for it otherwise. */
    private void frame(AsciiString method, boolean last, ByteBuf out) {
        if (!last) {
            chunking = true;
            HeadWriter.field(HeadWriter.CODING, HeadWriter.CHUNKED, out);
        } else if (method.equals(POST) || method.equals(PUT) || method.equals(PATCH)) {
            HeadWriter.field(HeadWriter.LENGTH, HeadWriter.ZERO, out);
        }
    }

    private static AsciiString orEmpty(@Nullable AsciiString value) {
        return value == null ? AsciiString.EMPTY_STRING : value;
    }

    private void upgrade(Fields head, AsciiString protocol, ByteBuf out) {
        AsciiString sent = head.value(KEY);
        key = sent == null ? "" : sent.toString();
        HeadWriter.field(HeadWriter.CONNECTION, HeadWriter.UPGRADE, out);
        HeadWriter.field(HeadWriter.UPGRADE, protocol, out);
    }

    ByteBuf content(ByteBufAllocator allocator, ByteBuf content, boolean last) {
        return chunking ? Chunks.of(allocator, content, last) : content;
    }

    ByteBuf trailers(ByteBufAllocator allocator, Fields trailers) {
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

        static ByteBuf end(ByteBufAllocator allocator, Fields trailers) {
            ByteBuf out = allocator.buffer(64);
            out.writeByte('0').writeByte('\r').writeByte('\n');
            for (int i = 0; i < trailers.size(); i++) {
                HeadWriter.field(trailers.at(i).name(), trailers.at(i).value(), out);
            }
            HeadWriter.end(out);
            return out;
        }
    }
}
