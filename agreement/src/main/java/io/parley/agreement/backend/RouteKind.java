package io.parley.agreement.backend;

/** The kinds of routes, by what they understand of the traffic that they carry. */
public enum RouteKind {
    HTTP("HTTPRoute", Transport.TCP),
    GRPC("GRPCRoute", Transport.TCP),
    TLS("TLSRoute", Transport.TCP),
    TCP("TCPRoute", Transport.TCP),
    UDP("UDPRoute", Transport.UDP);

    private final String word;
    private final Transport transport;

    RouteKind(String word, Transport transport) {
        this.word = word;
        this.transport = transport;
    }

    /** As manifests write it. */
    public String word() {
        return word;
    }

    /** As a sentence has it. */
    String withArticle() {
        return (this == HTTP ? "an " : "a ") + word;
    }

    public Transport transport() {
        return transport;
    }

    @Override
    public String toString() {
        return word;
    }
}
