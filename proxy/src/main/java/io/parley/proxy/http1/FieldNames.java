package io.parley.proxy.http1;

import io.netty.util.AsciiString;
import io.parley.wire.http.Octets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names of fields in lower case. Those that messages usually have exist once: what is made for each message has to be copied, and its
 * hash computed again for every table that it is looked up in.
 */
final class FieldNames {
    private static final int SLOTS = 256;
    private static final List<String> USUAL = List.of("""
        accept accept-encoding accept-language accept-ranges access-control-allow-origin age alt-svc authorization
        cache-control connection content-encoding content-language content-length content-security-policy content-type
        cookie date etag expires host if-modified-since if-none-match keep-alive last-modified link location origin pragma
        range referer server set-cookie strict-transport-security traceparent tracestate transfer-encoding upgrade
        user-agent vary via x-content-type-options x-forwarded-for x-forwarded-host x-forwarded-proto x-frame-options
        x-powered-by x-request-id
        """.strip().split("\\s+"));

    /**
     * By length, first and last letter, which tell all of them apart; where two met, the later one would be made anew each time, which is
     * only slower.
     */
    private static final @Nullable AsciiString[] TABLE = new AsciiString[SLOTS];

    static {
        for (String text : USUAL) {
            AsciiString name = new AsciiString(text);
            int slot = slot(name.array(), name.arrayOffset(), name.arrayOffset() + name.length());
            if (TABLE[slot] == null) {
                TABLE[slot] = name;
            }
        }
    }

    private FieldNames() {}

    private static int slot(byte[] bytes, int start, int end) {
        int first = bytes[start] | 0x20;
        int last = bytes[end - 1] | 0x20;
        return ((end - start) * 11 + first * 31 + last) & (SLOTS - 1);
    }

    /** The name that these bytes are, at least one of them, capitals or not. */
    static AsciiString of(byte[] bytes, int start, int end) {
        AsciiString usual = TABLE[slot(bytes, start, end)];
        return usual != null && isSame(usual, bytes, start, end)
                ? usual
                : new AsciiString(bytes, start, end - start, true).toLowerCase();
    }

    private static boolean isSame(AsciiString name, byte[] bytes, int start, int end) {
        if (name.length() != end - start) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (name.byteAt(i) != Octets.lower(bytes[start + i])) {
                return false;
            }
        }
        return true;
    }
}
