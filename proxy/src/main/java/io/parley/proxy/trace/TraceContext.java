package io.parley.proxy.trace;

import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Where in which trace a request is, as the field {@code traceparent} says (W3C Trace Context, section 3.2).
 *
 * @param high the first half of the trace's number
 * @param low the second half
 * @param span the number of the span
 * @param flags bit 0 says that the trace is recorded
 */
public record TraceContext(long high, long low, long span, int flags) {
    public static final String FIELD = "traceparent";
    public static final String STATE = "tracestate";

    private static final int SAMPLED = 1;
    private static final int LENGTH = 55;
    private static final HexFormat HEX = HexFormat.of();

    /** The context of a trace that begins here. */
    static TraceContext begin(RandomGenerator chance, boolean sampled) {
        return new TraceContext(chance.nextLong(), number(chance), number(chance), sampled ? SAMPLED : 0);
    }

    /** Any number but zero, which is none. */
    private static long number(RandomGenerator chance) {
        long drawn = chance.nextLong();
        return drawn == 0 ? 1 : drawn;
    }

    /** Reads a field; null if it is not there or not as it must be, and then the trace is not continued. */
    public static @Nullable TraceContext parse(@Nullable String text) {
        if (text == null || text.length() < LENGTH || !isFramed(text)) {
            return null;
        }
        for (int i = 0; i < LENGTH; i++) {
            boolean dash = i == 2 || i == 35 || i == 52;
            char c = text.charAt(i);
            // Section 2.3.1: digits in lower case only, which no parser of numbers would insist on.
            if (!dash && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) {
                return null;
            }
        }
        TraceContext read = new TraceContext(
                HexFormat.fromHexDigitsToLong(text, 3, 19),
                HexFormat.fromHexDigitsToLong(text, 19, 35),
                HexFormat.fromHexDigitsToLong(text, 36, 52),
                HexFormat.fromHexDigits(text, 53, LENGTH));
        boolean named = (read.high | read.low) != 0 && read.span != 0;
        return named && !text.startsWith("ff") ? read : null;
    }

    /** Version 00 has four parts; a later one may have more, behind a dash (section 4.3). */
    private static boolean isFramed(String text) {
        boolean complete = text.length() == LENGTH || (!text.startsWith("00") && text.charAt(LENGTH) == '-');
        return complete && text.charAt(2) == '-' && text.charAt(35) == '-' && text.charAt(52) == '-';
    }

    public boolean isSampled() {
        return (flags & SAMPLED) != 0;
    }

    /** The context of a span below this one. Of the flags only the one that is known is passed on. */
    TraceContext child(RandomGenerator chance) {
        return new TraceContext(high, low, number(chance), flags & SAMPLED);
    }

    /** The trace's number in 32 digits. */
    public String trace() {
        return HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }

    /** As the field has it. */
    @Override
    public String toString() {
        return "00-" + trace() + "-" + HEX.toHexDigits(span) + "-" + HEX.toHexDigits((byte) flags);
    }
}
