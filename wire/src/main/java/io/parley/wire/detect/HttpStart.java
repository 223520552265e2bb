package io.parley.wire.detect;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Recognises the start of HTTP. A request line must look like one as far as it has come: a method in capitals, a target in one of
 * the forms of RFC 9112 section 3.2, {@code HTTP/1.} and a digit. So {@code EHLO a.example}, {@code USER root} and four-letter
 * commands are opaque at their first odd byte, while a request cut anywhere is still recognised. 14 fitting bytes are proof enough,
 * since they hold a method, a space and the start of a target: a long target need not be waited for.
 */
final class HttpStart {
    private static final byte[] HTTP2_PREFACE = ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    private static final int RESERVED_METHOD = "PRI ".length();
    private static final int PROOF = 14;

    /** RFC 9112 section 2.2: empty lines before a request line are ignored; more than a few are no client's habit. */
    private static final int MAX_EMPTY_LINES = 4;

    /** The longest registered method, UPDATEREDIRECTREF, has 17 letters. */
    private static final int MAX_METHOD = 24;

    private static final byte[] VERSION = ascii("HTTP/1.");
    private static final byte[] CONNECT = ascii("CONNECT");
    private static final byte[][] SCHEMES = {ascii("http://"), ascii("https://"), ascii("ws://"), ascii("wss://")};

    private static final Detection.NeedMore UNPROVEN = new Detection.NeedMore(PROOF);

    private final ByteBuf in;
    private final int end;
    private int at;

    private HttpStart(ByteBuf in) {
        this.in = in;
        this.at = in.readerIndex();
        this.end = in.writerIndex();
    }

    static Detection detect(ByteBuf in) {
        int matching = common(in, in.readerIndex(), HTTP2_PREFACE);
        if (matching == Math.min(in.readableBytes(), HTTP2_PREFACE.length)) {
            return matching >= PROOF ? new Detection.Http2() : UNPROVEN;
        }
        if (matching >= RESERVED_METHOD) {
            // RFC 9113 section 11.6: no request has the method PRI.
            return opaque("it begins like the HTTP/2 preface and goes on otherwise");
        }
        return new HttpStart(in).requestLine();
    }

    private Detection requestLine() {
        for (int lines = 0; lines < MAX_EMPTY_LINES && at < end && in.getByte(at) == '\r'; lines++) {
            if (at + 1 < end && in.getByte(at + 1) != '\n') {
                return opaque("a carriage return without a line feed");
            }
            at = Math.min(end, at + 2);
        }
        int method = at;
        while (at < end && isMethodCharacter(in.getByte(at))) {
            at++;
        }
        int length = at - method;
        if (length > MAX_METHOD) {
            return opaque("no HTTP method has more than " + MAX_METHOD + " letters");
        }
        if (at == end) {
            return new Detection.NeedMore(Math.max(PROOF, end - in.readerIndex() + 1));
        }
        if (length == 0 || in.getByte(at) != ' ') {
            return opaque("the first bytes are not a method and a space");
        }
        at++;
        boolean connect = length == CONNECT.length && common(in, method, CONNECT) == length;
        return target(connect);
    }

    private Detection target(boolean connect) {
        if (at == end) {
            return unproven();
        }
        if (!beginsLikeTarget(connect)) {
            return opaque("what follows the first word is not a request target");
        }
        while (at < end && isTargetCharacter(in.getByte(at))) {
            at++;
        }
        if (at == end) {
            return unproven();
        }
        if (in.getByte(at) != ' ') {
            return opaque("the first line ends without an HTTP version");
        }
        return version(at + 1);
    }

    private Detection version(int start) {
        int fitting = common(in, start, VERSION);
        if (start + fitting == end && fitting < VERSION.length) {
            return unproven();
        }
        if (fitting < VERSION.length) {
            return opaque("the first line ends in no version of HTTP/1");
        }
        int digit = start + fitting;
        boolean versioned = digit == end || isDigit(in.getByte(digit));
        boolean ended = digit + 1 >= end || in.getByte(digit + 1) == '\r' || in.getByte(digit + 1) == '\n';
        return versioned && ended
                ? digit == end ? unproven() : new Detection.Http1()
                : opaque("the first line ends in no version of HTTP/1");
    }

    /** RFC 9112 section 3.2: origin-form and asterisk-form by their first byte, absolute-form by its scheme. */
    private boolean beginsLikeTarget(boolean connect) {
        byte first = in.getByte(at);
        if (connect) {
            return isMethodCharacter(first) || isDigit(first) || ('a' <= first && first <= 'z') || first == '[';
        }
        if (first == '/') {
            return true;
        }
        if (first == '*') {
            return at + 1 == end || in.getByte(at + 1) == ' ';
        }
        for (byte[] scheme : SCHEMES) {
            if (common(in, at, scheme) == Math.min(end - at, scheme.length)) {
                return true;
            }
        }
        return false;
    }

    private Detection unproven() {
        return end - in.readerIndex() >= PROOF ? new Detection.Http1() : UNPROVEN;
    }

    private static Detection opaque(String because) {
        return new Detection.Opaque(because);
    }

    /** How many bytes from {@code start} on agree with {@code expected}. */
    private static int common(ByteBuf in, int start, byte[] expected) {
        int limit = Math.min(expected.length, in.writerIndex() - start);
        for (int i = 0; i < limit; i++) {
            if (in.getByte(start + i) != expected[i]) {
                return i;
            }
        }
        return Math.max(limit, 0);
    }

    private static boolean isMethodCharacter(byte b) {
        return ('A' <= b && b <= 'Z') || b == '-' || b == '_';
    }

    private static boolean isTargetCharacter(byte b) {
        return b > ' ' && b != 0x7f;
    }

    private static boolean isDigit(byte b) {
        return '0' <= b && b <= '9';
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
