package io.parley.wire.hpack;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;

/**
 * Numbers and strings of a block (RFC 7541 section 5). The block is copied first, by one call: every other byte is then read from an array,
 * whatever kind of buffer it came in.
 */
final class BlockReader {
    /** Enough for most blocks; larger arrays are not kept between blocks, as idle connections are many. */
    private static final int KEPT = 2048;

    private static final int LEAST = 256;
    private static final int HUFFMAN = 0x80;
    private static final int MOST_CONTINUATIONS = 5;
    private static final byte[] NOTHING = new byte[0];

    private byte[] bytes = NOTHING;
    private byte[] decoded = NOTHING;
    private int at;
    private int end;

    void start(ByteBuf block) {
        end = block.readableBytes();
        at = 0;
        bytes = withRoom(bytes, end);
        block.readBytes(bytes, 0, end);
    }

    void finish() {
        if (bytes.length > KEPT) {
            bytes = NOTHING;
        }
        if (decoded.length > KEPT) {
            decoded = NOTHING;
        }
    }

    private static byte[] withRoom(byte[] array, int length) {
        return array.length >= length ? array : new byte[length <= LEAST ? LEAST : Math.max(length, 2 * array.length)];
    }

    boolean hasMore() {
        return at < end;
    }

    /** The next octet, which stays. */
    int peek() {
        return bytes[at] & 0xff;
    }

    int next() throws HpackException {
        if (at == end) {
            throw new HpackException("the block ends within a field");
        }
        return bytes[at++] & 0xff;
    }

    /**
     * A number (RFC 7541 section 5.1).
     *
     * @param first the octet it begins in
     * @param prefix the bits of it there
     */
    int number(int first, int prefix) throws HpackException {
        int start = first & prefix;
        return start < prefix ? start : longNumber(prefix);
    }

    private int longNumber(int prefix) throws HpackException {
        long number = prefix;
        for (int i = 0; i < MOST_CONTINUATIONS; i++) {
            int octet = next();
            number += (octet & 0x7fL) << (7 * i);
            // Only the last octet that may be there can lead too far.
            if (octet < 0x80 && number <= Integer.MAX_VALUE) {
                return (int) number;
            }
        }
        throw new HpackException("a number beyond " + Integer.MAX_VALUE);
    }

    /** A string (RFC 7541 section 5.2), of which nothing is shared with the block. */
    AsciiString text() throws HpackException {
        int first = next();
        int length = number(first, HUFFMAN - 1);
        if (length > end - at) {
            throw new HpackException("a string of " + length + " octets where the block has " + (end - at) + " more");
        }
        int start = at;
        at += length;
        return (first & HUFFMAN) == 0 ? text(bytes, start, length) : huffman(start);
    }

    private AsciiString huffman(int start) throws HpackException {
        decoded = withRoom(decoded, Huffman.mostDecoded(at - start) + 1);
        return text(decoded, 0, HuffmanDecoder.decode(bytes, start, at, decoded));
    }

    private static AsciiString text(byte[] octets, int start, int length) {
        return length == 0 ? AsciiString.EMPTY_STRING : new AsciiString(octets, start, length, true);
    }
}
