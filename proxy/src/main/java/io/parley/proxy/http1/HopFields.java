package io.parley.proxy.http1;

import io.netty.util.AsciiString;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The fields that are for one hop only (RFC 9110 section 7.6.1), and what frames a body, which each hop says for itself. */
final class HopFields {
    private static final Set<AsciiString> NAMES = Stream.of(
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "te",
                    "upgrade",
                    "http2-settings",
                    "transfer-encoding",
                    "host")
            .map(AsciiString::new)
            .collect(Collectors.toUnmodifiableSet());

    private HopFields() {}

    static boolean isForThisHop(AsciiString name) {
        return NAMES.contains(name);
    }
}
