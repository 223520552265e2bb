package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes heads that exist as values. What could end a line is not in them: every reader of heads sees to that. */
final class HeadWriter {
    private static final AsciiString VERSION = new AsciiString("HTTP/1.1");
    /** For one hop only; over HTTP/2 it comes with every call of gRPC. */
    private static final AsciiString TE = new AsciiString("te");

    private static final AsciiString COOKIE = new AsciiString("cookie");
    private static final int LINE_END = (Octets.CR << 8) | Octets.LF;

    private HeadWriter() {}

    static void requestLine(CharSequence method, CharSequence path, CharSequence authority, ByteBuf out) {
        ByteBufUtil.writeAscii(out, method);
        out.writeByte(Octets.SPACE);
        ByteBufUtil.writeAscii(out, path);
        out.writeByte(Octets.SPACE);
        ByteBufUtil.writeAscii(out, VERSION);
        out.writeShort(LINE_END);
        field("host", authority, out);
    }

    static void statusLine(int status, ByteBuf out) {
        ByteBufUtil.writeAscii(out, VERSION);
        out.writeByte(Octets.SPACE);
        HttpResponseStatus known = HttpResponseStatus.valueOf(status);
        ByteBufUtil.writeAscii(out, known.codeAsText());
        out.writeByte(Octets.SPACE);
        ByteBufUtil.writeAscii(out, known.reasonPhrase());
        out.writeShort(LINE_END);
    }

    static void field(CharSequence name, CharSequence value, ByteBuf out) {
        ByteBufUtil.writeAscii(out, name);
        out.writeByte(':');
        out.writeByte(Octets.SPACE);
        writeLatin(value, out);
        out.writeShort(LINE_END);
    }

    /** AsciiStrings hold bytes beyond ASCII as they are; texts hold them as characters. */
    private static void writeLatin(CharSequence value, ByteBuf out) {
        if (value instanceof AsciiString bytes) {
            out.writeBytes(bytes.array(), bytes.arrayOffset(), bytes.length());
        } else {
            for (int i = 0; i < value.length(); i++) {
                out.writeByte(value.charAt(i));
            }
        }
    }

    /** All fields but the pseudo-fields; crumbs of a cookie become one again (RFC 9113 8.2.3). */
    static void fields(Http2Headers head, ByteBuf out) {
        @Nullable StringBuilder cookie = null;
        for (Map.Entry<CharSequence, CharSequence> field : head) {
            CharSequence name = field.getKey();
            if (name.isEmpty() || name.charAt(0) == ':' || AsciiString.contentEquals(TE, name)) {
                continue;
            }
            if (AsciiString.contentEquals(COOKIE, name)) {
                cookie = cookie == null ? new StringBuilder() : cookie.append("; ");
                cookie.append(field.getValue());
            } else {
                field(name, field.getValue(), out);
            }
        }
        if (cookie != null) {
            field(COOKIE, cookie, out);
        }
    }

    static void end(ByteBuf out) {
        out.writeShort(LINE_END);
    }
}
