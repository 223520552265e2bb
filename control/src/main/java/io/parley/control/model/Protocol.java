package io.parley.control.model;

import java.util.Collection;

/** What connections to a port carry, as far as it is declared. */
public enum Protocol {
    /** Nobody declared it: the first bytes decide. */
    DETECT("detect"),
    /** Bytes that are forwarded and not understood. */
    OPAQUE("opaque"),
    /** The application's own TLS, never terminated. */
    TLS("tls"),
    HTTP1("http1"),
    HTTP2("http2"),
    GRPC("grpc");

    private final String text;

    Protocol(String text) {
        this.text = text;
    }

    /** The protocol that a Dataplane's {@code kuma.io/protocol} names. */
    static Protocol ofTag(String tag) {
        return switch (tag) {
            case "http" -> HTTP1;
            case "http2" -> HTTP2;
            case "grpc" -> GRPC;
            case "tls" -> TLS;
            // tcp, and kafka, which we do not look into.
            default -> OPAQUE;
        };
    }

    /** What {@code kuma.io/protocol} says of it; for one that nobody declared there is no such word. */
    public String tag() {
        return switch (this) {
            case HTTP1 -> "http";
            case HTTP2 -> "http2";
            case GRPC -> "grpc";
            case TLS -> "tls";
            case OPAQUE -> "tcp";
            case DETECT -> throw new IllegalStateException("not declared");
        };
    }

    /** Whether requests can be told apart. */
    public boolean isHttp() {
        return this == HTTP1 || this == HTTP2 || this == GRPC;
    }

    /** What all endpoints of a service can be spoken to with, where none of them is opaque. */
    static Protocol common(Collection<Protocol> protocols) {
        Protocol first = protocols.iterator().next();
        if (protocols.stream().allMatch(each -> each == first)) {
            return first;
        }
        if (protocols.stream().allMatch(each -> each == HTTP2 || each == GRPC)) {
            return HTTP2;
        }
        return protocols.stream().allMatch(Protocol::isHttp) ? HTTP1 : DETECT;
    }

    /** As it is written in configuration, explanations and metrics. */
    @Override
    public String toString() {
        return text;
    }
}
