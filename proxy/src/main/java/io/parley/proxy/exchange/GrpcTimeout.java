package io.parley.proxy.exchange;

import io.netty.util.AsciiString;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** How long a call may take as its client says: up to eight digits and a unit (gRPC over HTTP/2, "Timeout"). */
final class GrpcTimeout {
    private static final AsciiString FIELD = AsciiString.cached("grpc-timeout");
    private static final int MOST_DIGITS = 8;
    private static final long UNKNOWN = 0;

    private GrpcTimeout() {}

    /** Whether a call with this head is given up by its client after so long. */
    static boolean isOver(@Nullable Fields head, long nanos) {
        AsciiString said = head == null ? null : head.value(FIELD);
        int digits = said == null ? 0 : said.length() - 1;
        if (said == null || digits < 1 || digits > MOST_DIGITS) {
            return false;
        }
        long number = 0;
        for (int i = 0; i < digits; i++) {
            int digit = said.byteAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            number = number * 10 + digit;
        }
        long unit = unit(said.byteAt(digits));
        return unit != UNKNOWN && nanos / unit >= number;
    }

    private static long unit(byte letter) {
        return switch (letter) {
            case 'H' -> 3_600_000_000_000L;
            case 'M' -> 60_000_000_000L;
            case 'S' -> 1_000_000_000L;
            case 'm' -> 1_000_000L;
            case 'u' -> 1_000L;
            case 'n' -> 1L;
            default -> UNKNOWN;
        };
    }
}
