package io.parley.wire.hpack;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;

/** Writes numbers and strings of a block (RFC 7541 section 5) into an array, which then goes out by one call. */
final class BlockWriter {
    /** In octets: one with the prefix, five with seven bits each. */
    static final int LONGEST_NUMBER = 6;

    /** Enough for most blocks; a larger array is not kept between blocks, as idle connections are many. */
    private static final int KEPT = 2048;

    private static final int LEAST = 256;
    private static final int HUFFMAN = 0x80;

    /** From here on Huffman's code is tried: it saves a quarter of the octets, and for short texts that is not worth the time. */
    private static final int LONG = 512;

    private byte[] bytes = new byte[LEAST];
    private int at;

    /** So many octets can be written after this. */
    void reserve(int octets) {
        if (bytes.length - at < octets) {
            byte[] larger = new byte[Math.max(2 * bytes.length, at + octets)];
            System.arraycopy(bytes, 0, larger, 0, at);
            bytes = larger;
        }
    }

    /**
     * A number (RFC 7541 section 5.1).
     *
     * @param pattern the other bits of the octet it begins in
     * @param prefix the bits of it there
     */
    void number(int pattern, int prefix, int number) {
        if (number < prefix) {
            bytes[at++] = (byte) (pattern | number);
            return;
        }
        bytes[at++] = (byte) (pattern | prefix);
        int rest = number - prefix;
        while (rest >= 0x80) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at++] = (byte) rest;
    }

    /** A string (RFC 7541 section 5.2). */
    void text(AsciiString text) {
        int length = text.length();
        if (length >= LONG && huffman(text)) {
            return;
        }
        number(0, HUFFMAN - 1, length);
        System.arraycopy(text.array(), text.arrayOffset(), bytes, at, length);
        at += length;
    }

    private boolean huffman(AsciiString text) {
        int from = text.arrayOffset();
        int to = from + text.length();
        int length = Huffman.encodedLength(text.array(), from, to);
        if (length >= text.length()) {
            return false;
        }
        number(HUFFMAN, HUFFMAN - 1, length);
        Huffman.encode(text.array(), from, to, bytes, at);
        at += length;
        return true;
    }

    void flush(ByteBuf out) {
        out.writeBytes(bytes, 0, at);
        at = 0;
        if (bytes.length > KEPT) {
            bytes = new byte[LEAST];
        }
    }
}
