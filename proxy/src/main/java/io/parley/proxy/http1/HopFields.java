package io.parley.proxy.http1;

import io.netty.util.AsciiString;
import java.util.Set;

/** The fields that are for one hop only (RFC 9110 section 7.6.1), and what frames a body, which each hop says for itself. */
final class HopFields {
    private static final Set<String> NAMES = Set.of(
            "connection",
            "keep-alive",
            "proxy-connection",
            "te",
            "upgrade",
            "http2-settings",
            "transfer-encoding",
            "host");

    private HopFields() {}

    static boolean isForThisHop(AsciiString name) {
        return NAMES.contains(name.toString());
    }
}
