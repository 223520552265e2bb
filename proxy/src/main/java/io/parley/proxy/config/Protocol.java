package io.parley.proxy.config;

/** What a connection is declared or found to carry. */
public enum Protocol {
    /** Nobody declared it: the first bytes decide. */
    DETECT("detect"),

    /** Bytes that are forwarded and not understood. */
    OPAQUE("opaque"),

    /** The application's own TLS: routed by server name, never terminated. */
    TLS("tls"),
    HTTP1("http1"),
    HTTP2("http2"),

    /** HTTP/2 with gRPC's rules on top. */
    GRPC("grpc");

    private final String text;

    Protocol(String text) {
        this.text = text;
    }

    /** As it is written in files, metrics and logs. */
    @Override
    public String toString() {
        return text;
    }
}
