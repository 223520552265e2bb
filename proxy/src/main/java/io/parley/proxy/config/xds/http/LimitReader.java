package io.parley.proxy.config.xds.http;

import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.parley.proxy.http.HttpLimits;

/** Reads what a request may cost. What is not said is as usual. */
final class LimitReader {
    private static final int KIB = 1_024;

    /** Envoy's own. Each event loop keeps that much memory in which heads are read. */
    private static final int MOST_KIB = 8_192;

    /** Four numbers are kept for each. */
    private static final int MOST_FIELDS = 10_000;

    /** More requests are not under way in the whole proxy, docs/proxy-http.md, Overload. */
    private static final int MOST_STREAMS = 10_000;

    private LimitReader() {}

    static HttpLimits read(HttpConnectionManager manager, Problems problems) {
        HttpLimits usual = HttpLimits.DEFAULT;
        var common = manager.getCommonHttpProtocolOptions();
        var http2 = manager.getHttp2ProtocolOptions();
        return new HttpLimits(
                usual.line(),
                manager.hasMaxRequestHeadersKb()
                        ? KIB
                                * within(
                                        manager.getMaxRequestHeadersKb(),
                                        MOST_KIB,
                                        problems.under("max_request_headers_kb"))
                        : usual.head(),
                common.hasMaxHeadersCount()
                        ? within(
                                common.getMaxHeadersCount(),
                                MOST_FIELDS,
                                problems.under("common_http_protocol_options.max_headers_count"))
                        : usual.fields(),
                0,
                http2.hasMaxConcurrentStreams()
                        ? within(
                                http2.getMaxConcurrentStreams(),
                                MOST_STREAMS,
                                problems.under("http2_protocol_options.max_concurrent_streams"))
                        : usual.streams());
    }

    private static int within(UInt32Value said, int most, Problems problems) {
        int value = said.getValue();
        if (value < 1 || value > most) {
            problems.add("", Integer.toUnsignedString(value) + " (expected: 1 to " + most + ")");
            return 1;
        }
        return value;
    }
}
