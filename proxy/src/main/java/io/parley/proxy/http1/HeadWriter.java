package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;
import io.parley.wire.http.Octets;

/** Writes heads that exist as values. What could end a line is not in them: every reader of heads sees to that. */
final class HeadWriter {
    static final AsciiString CONNECTION = AsciiString.cached("connection");
    static final AsciiString UPGRADE = AsciiString.cached("upgrade");
    static final AsciiString LENGTH = AsciiString.cached("content-length");
    static final AsciiString ZERO = AsciiString.cached("0");
    static final AsciiString CODING = AsciiString.cached("transfer-encoding");
    static final AsciiString CHUNKED = AsciiString.cached("chunked");

    private static final AsciiString VERSION = AsciiString.cached("HTTP/1.1");
    private static final AsciiString HOST = AsciiString.cached("host");
    /** For one hop only; over HTTP/2 it comes with every call of gRPC. */
    private static final AsciiString TE = AsciiString.cached("te");

    private static final AsciiString COOKIE = AsciiString.cached("cookie");
    private static final int LINE_END = (Octets.CR << 8) | Octets.LF;
    private static final int COLON = (':' << 8) | Octets.SPACE;
    private static final int SEMICOLON = (';' << 8) | Octets.SPACE;

    private HeadWriter() {}

    static void requestLine(AsciiString method, AsciiString path, AsciiString authority, ByteBuf out) {
        write(method, out);
        out.writeByte(Octets.SPACE);
        write(path, out);
        out.writeByte(Octets.SPACE);
        write(VERSION, out);
        out.writeShort(LINE_END);
        field(HOST, authority, out);
    }

    static void statusLine(int status, ByteBuf out) {
        write(VERSION, out);
        out.writeByte(Octets.SPACE);
        HttpResponseStatus known = HttpResponseStatus.valueOf(status);
        write(known.codeAsText(), out);
        out.writeByte(Octets.SPACE);
        ByteBufUtil.writeAscii(out, known.reasonPhrase());
        out.writeShort(LINE_END);
    }

    static void field(AsciiString name, AsciiString value, ByteBuf out) {
        write(name, out);
        out.writeShort(COLON);
        write(value, out);
        out.writeShort(LINE_END);
    }

    /** Bytes beyond ASCII as they are. */
    private static void write(AsciiString text, ByteBuf out) {
        out.writeBytes(text.array(), text.arrayOffset(), text.length());
    }

    /** All fields but the pseudo-fields, cookies last. */
    static void fields(Fields head, ByteBuf out) {
        int cookie = -1;
        for (int i = 0; i < head.size(); i++) {
            Field field = head.at(i);
            if (field.name().isEmpty() || field.isPseudo() || field.is(TE)) {
                continue;
            }
            if (!field.is(COOKIE)) {
                field(field.name(), field.value(), out);
            } else if (cookie < 0) {
                cookie = i;
            }
        }
        if (cookie >= 0) {
            cookies(head, cookie, out);
        }
    }

    /** Crumbs of a cookie become one again (RFC 9113 8.2.3). */
    private static void cookies(Fields head, int first, ByteBuf out) {
        write(COOKIE, out);
        out.writeShort(COLON);
        write(head.at(first).value(), out);
        for (int i = first + 1; i < head.size(); i++) {
            if (head.at(i).is(COOKIE)) {
                out.writeShort(SEMICOLON);
                write(head.at(i).value(), out);
            }
        }
        out.writeShort(LINE_END);
    }

    static void end(ByteBuf out) {
        out.writeShort(LINE_END);
    }
}
