package io.parley.bench.proxy;

/** What stands between client and server. */
enum Setup {
    /** One proxy, no TLS, bytes. */
    CLEAR,

    /** One proxy beside the client, one beside the server, mutual TLS between them, bytes. */
    TWO_HOPS,

    /** One proxy that reads HTTP/1.1 and speaks it. */
    HTTP1,

    /** One proxy that reads HTTP/2, and speaks HTTP/1.1 to the server. */
    HTTP2_TO_HTTP1,

    /** One proxy that reads HTTP/2 and speaks it. */
    HTTP2;

    boolean isHttp() {
        return this == HTTP1 || this == HTTP2_TO_HTTP1 || this == HTTP2;
    }

    /** The client's side. */
    boolean readsHttp2() {
        return this == HTTP2_TO_HTTP1 || this == HTTP2;
    }
}
