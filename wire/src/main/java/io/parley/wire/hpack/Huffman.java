package io.parley.wire.hpack;

/**
 * The Huffman code of RFC 7541 appendix B. It is canonical: the lengths alone give the codes, those of one length following one another in
 * the order of the octets.
 */
final class Huffman {
    /** Never sent; its first bits fill the last octet up (RFC 7541 section 5.2). */
    static final int END = 256;

    static final int NONE = -1;

    private static final int LONGEST = 30;
    private static final int SHORTEST = 5;

    private static final byte[] LENGTHS = {
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, //
        28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28, //
        6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, //
        5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, //
        13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, //
        7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, //
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, //
        6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, //
        20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, //
        24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, //
        22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, //
        21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, //
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, //
        19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, //
        20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, //
        26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, //
        30
    };

    /** The symbols in the order of their codes; per length, where its own begin and what the first one's code is. */
    private static final int[] ORDERED = new int[END + 1];

    private static final int[] START = new int[LONGEST + 2];
    private static final int[] FIRST_CODE = new int[LONGEST + 2];
    private static final int[] CODES = new int[END + 1];

    static {
        int count = 0;
        int code = 0;
        for (int length = SHORTEST; length <= LONGEST; length++) {
            START[length] = count;
            FIRST_CODE[length] = code;
            for (int symbol = 0; symbol <= END; symbol++) {
                if (LENGTHS[symbol] == length) {
                    ORDERED[count++] = symbol;
                    CODES[symbol] = code++;
                }
            }
            code <<= 1;
        }
        START[LONGEST + 1] = count;
    }

    private Huffman() {}

    /** The symbol that these bits, from the highest on, begin with; {@link #NONE} if so many of them are no whole code. */
    static int symbolAt(long bits, int count) {
        for (int length = SHORTEST; length <= Math.min(count, LONGEST); length++) {
            int place = START[length] + (int) (bits >>> (Long.SIZE - length)) - FIRST_CODE[length];
            if (place < START[length + 1]) {
                return ORDERED[place];
            }
        }
        return NONE;
    }

    /** How many octets these take in code. */
    static int encodedLength(byte[] text, int from, int to) {
        long bits = 0;
        for (int i = from; i < to; i++) {
            bits += LENGTHS[text[i] & 0xff];
        }
        return (int) ((bits + 7) >>> 3);
    }

    /** Writes the code of these octets, which there must be room for. */
    static void encode(byte[] text, int from, int to, byte[] out, int start) {
        int at = start;
        long pending = 0;
        int bits = 0;
        for (int i = from; i < to; i++) {
            int octet = text[i] & 0xff;
            pending = (pending << LENGTHS[octet]) | CODES[octet];
            bits += LENGTHS[octet];
            if (bits >= Integer.SIZE) {
                bits -= Integer.SIZE;
                at = writeInt((int) (pending >>> bits), out, at);
            }
        }
        // The rest, filled up with ones.
        pending = (pending << 8) | 0xff;
        while (bits > 0) {
            out[at++] = (byte) (pending >>> bits);
            bits -= 8;
        }
    }

    private static int writeInt(int value, byte[] out, int at) {
        out[at] = (byte) (value >>> 24);
        out[at + 1] = (byte) (value >>> 16);
        out[at + 2] = (byte) (value >>> 8);
        out[at + 3] = (byte) value;
        return at + 4;
    }

    static int lengthOf(int symbol) {
        return LENGTHS[symbol];
    }

    /** How many octets come at most of so many octets of code. */
    static int mostDecoded(int encoded) {
        return (int) (8L * encoded / SHORTEST);
    }
}
