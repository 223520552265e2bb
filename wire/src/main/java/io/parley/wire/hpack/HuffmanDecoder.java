package io.parley.wire.hpack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads {@link Huffman}'s code by looks at its next twelve bits: these mostly hold two whole codes, and the table for them takes no more
 * than 16 KiB. Longer codes are rare in heads and are searched for, which is easy as the code is canonical.
 */
final class HuffmanDecoder {
    private static final int LOOK_BITS = 12;

    /** What a look finds: one octet or two, the first below the second; their bits; how many they are. */
    private static final int SECOND_SHIFT = 8;

    private static final int BITS_SHIFT = 16;
    private static final int COUNT_SHIFT = 24;

    /** The next twelve bits are not a whole code. */
    private static final int NOTHING = 0;

    /** Filling is shorter than an octet (RFC 7541 section 5.2). */
    private static final int MOST_FILLING = 7;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    private static final int[] LOOKS = looks();

    private HuffmanDecoder() {}

    private static int[] looks() {
        int[] looks = new int[1 << LOOK_BITS];
        for (int i = 0; i < looks.length; i++) {
            looks[i] = look((long) i << (Long.SIZE - LOOK_BITS));
        }
        return looks;
    }

    private static int look(long bits) {
        int first = Huffman.symbolAt(bits, LOOK_BITS);
        if (first == Huffman.NONE) {
            return NOTHING;
        }
        int length = Huffman.lengthOf(first);
        int second = Huffman.symbolAt(bits << length, LOOK_BITS - length);
        if (second == Huffman.NONE) {
            return (1 << COUNT_SHIFT) | (length << BITS_SHIFT) | first;
        }
        int both = length + Huffman.lengthOf(second);
        return (2 << COUNT_SHIFT) | (both << BITS_SHIFT) | (second << SECOND_SHIFT) | first;
    }

    /**
     * How many octets it gives.
     *
     * @param out with room for one octet more than {@link Huffman#mostDecoded}
     */
    static int decode(byte[] in, int from, int to, byte[] out) throws HpackException {
        int next = from;
        int at = 0;
        // The bits that come next, from the highest on, and how many they are.
        long bits = 0;
        int count = 0;
        while (true) {
            if (to - next >= Long.BYTES) {
                bits |= (long) LONG.get(in, next) >>> count;
                next += (Long.SIZE - 1 - count) >>> 3;
                count |= Long.SIZE - Byte.SIZE;
            } else {
                while (next < to && count <= Long.SIZE - Byte.SIZE) {
                    bits |= (in[next++] & 0xffL) << (Long.SIZE - Byte.SIZE - count);
                    count += Byte.SIZE;
                }
            }
            if (count < LOOK_BITS) {
                return rest(bits, count, out, at);
            }
            int found = LOOKS[(int) (bits >>> (Long.SIZE - LOOK_BITS))];
            int length = (found >>> BITS_SHIFT) & 0xff;
            if (found == NOTHING) {
                int symbol = longSymbol(bits, count);
                out[at++] = (byte) symbol;
                length = Huffman.lengthOf(symbol);
            } else {
                out[at] = (byte) found;
                out[at + 1] = (byte) (found >>> SECOND_SHIFT);
                at += found >>> COUNT_SHIFT;
            }
            bits <<= length;
            count -= length;
        }
    }

    private static int longSymbol(long bits, int count) throws HpackException {
        int symbol = Huffman.symbolAt(bits, count);
        if (symbol == Huffman.END) {
            throw new HpackException("the code of the end within a string");
        }
        if (symbol == Huffman.NONE) {
            throw badFilling();
        }
        return symbol;
    }

    /** The last bits, too few for a look. */
    private static int rest(long last, int remaining, byte[] out, int start) throws HpackException {
        long bits = last;
        int count = remaining;
        int at = start;
        for (int symbol = Huffman.symbolAt(bits, count);
                symbol != Huffman.NONE;
                symbol = Huffman.symbolAt(bits, count)) {
            out[at++] = (byte) symbol;
            bits <<= Huffman.lengthOf(symbol);
            count -= Huffman.lengthOf(symbol);
        }
        // What is left are the first bits of the code of the end, which has only ones.
        if (count > MOST_FILLING || Long.numberOfLeadingZeros(~bits) < count) {
            throw badFilling();
        }
        return at;
    }

    private static HpackException badFilling() {
        return new HpackException("a string in Huffman's code ends with something other than at most 7 ones");
    }
}
