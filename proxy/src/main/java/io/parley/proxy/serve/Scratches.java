package io.parley.proxy.serve;

import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http1.Http1Scratch;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory in which the heads of one event loop's connections are read: one for all whose heads may be as large, as it takes a hundred
 * kilobytes and there may be thousands of connections.
 */
final class Scratches {
    private final Map<HttpLimits, Http1Scratch> scratches = new HashMap<>();

    Http1Scratch of(HttpLimits limits) {
        return scratches.computeIfAbsent(limits.ofHeads(), Http1Scratch::new);
    }
}
