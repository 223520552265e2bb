package io.parley.proxy.http1;

import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The fields that a Connection field declares to be for this hop, so that they are not passed on. A client could strike out by it
 * what others rely on (a known attack on identity headers); such fields are not taken from the message, whatever it says.
 */
final class Nominated {
    private static final List<String> NEVER = List.of(
            "host", "content-length", "content-type", "transfer-encoding", "authorization", "cookie", "cache-control");
    private static final List<String> NEVER_PREFIXES = List.of(
            "x-forwarded-",
            "x-real-ip",
            "x-envoy-",
            "x-request-",
            "x-b3-",
            "x-auth",
            "l5d-",
            "forwarded",
            "grpc-",
            "sec-",
            "traceparent");

    private final List<String> names = new ArrayList<>();

    void clear() {
        if (!names.isEmpty()) {
            names.clear();
        }
    }

    void add(String option) {
        String name = option.toLowerCase(Locale.ROOT);
        if (!NEVER.contains(name) && NEVER_PREFIXES.stream().noneMatch(name::startsWith)) {
            names.add(name);
        }
    }

    boolean has(AsciiString name) {
        return !names.isEmpty() && names.contains(name.toString());
    }
}
