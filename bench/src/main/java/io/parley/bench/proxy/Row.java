package io.parley.bench.proxy;

import java.util.List;

/**
 * A kind of work. To add one, say how the proxies are set up, what is done and how often, and what is aimed at.
 *
 * @param name as it is asked for
 * @param requests of a round, which takes less than what disturbs a machine does: so a disturbance hits all alike, or few of many rounds
 * @param goal the most processor time of ours, as a share of the best other's
 */
record Row(String name, String title, Setup setup, Load load, int requests, double goal) {
    static final Row WEB = new Row("HTTP1", "HTTP/1.1 kept, small", Setup.HTTP1, WebLoad.HTTP1_SMALL, 50_000, 0.9);

    static final List<Row> ALL = List.of(
            new Row("SMALL", "opaque TCP, small requests", Setup.CLEAR, EchoLoad.SMALL, 50_000, 0.95),
            new Row("BULK", "opaque TCP, bulk (64 KiB each way)", Setup.CLEAR, EchoLoad.BULK, 7_000, 0.9),
            new Row("NEW", "opaque TCP, a new connection each", Setup.CLEAR, EchoLoad.NEW_CONNECTION, 5_000, 1.2),
            new Row("MTLS_KEPT", "two-hop mTLS, small, kept", Setup.TWO_HOPS, EchoLoad.SMALL, 50_000, 0.95),
            new Row(
                    "MTLS_NEW",
                    "two-hop mTLS, a new connection each",
                    Setup.TWO_HOPS,
                    EchoLoad.NEW_CONNECTION,
                    1_000,
                    1.1),
            WEB,
            new Row("HTTP1_LARGE", "HTTP/1.1 kept, 64 KiB", Setup.HTTP1, WebLoad.HTTP1_LARGE, 5_000, 0.9),
            new Row("HTTP2_HTTP1", "HTTP/2 to HTTP/1.1, small", Setup.HTTP2_TO_HTTP1, WebLoad.HTTP2_SMALL, 50_000, 1.0),
            new Row(
                    "HTTP2_HTTP1_LARGE",
                    "HTTP/2 to HTTP/1.1, 64 KiB",
                    Setup.HTTP2_TO_HTTP1,
                    WebLoad.HTTP2_LARGE,
                    5_000,
                    1.0),
            new Row("HTTP2", "HTTP/2 to HTTP/2, small", Setup.HTTP2, WebLoad.HTTP2_SMALL, 50_000, 0.95),
            new Row("HTTP2_LARGE", "HTTP/2 to HTTP/2, 64 KiB", Setup.HTTP2, WebLoad.HTTP2_LARGE, 5_000, 0.95));

    static Row named(String name) {
        return ALL.stream()
                .filter(row -> row.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--rows: " + name + " (expected: "
                        + ALL.stream().map(Row::name).toList() + ")"));
    }
}
