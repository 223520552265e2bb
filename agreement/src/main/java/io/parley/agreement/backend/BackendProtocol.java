package io.parley.agreement.backend;

/** What a gateway speaks to a backend. */
public enum BackendProtocol {
    /** HTTP/1.1 in clear text, upgrades included. */
    HTTP1("http1"),
    /** HTTP/2 in clear text, known beforehand (RFC 9113 3.3). */
    H2C("h2c"),
    /** HTTP/1.1 in clear text on a port that is there for WebSockets. */
    WEBSOCKET("ws"),
    /** HTTP/1.1 in TLS, and nothing else offered: a WebSocket must not end up on a connection that negotiated HTTP/2. */
    HTTP1_TLS("https1"),
    /** HTTP/2 in TLS, and nothing else offered. */
    H2("h2"),
    /** HTTP/2 or HTTP/1.1 in TLS, whichever the backend picks. */
    NEGOTIATED("alpn"),
    /** Bytes as they come. */
    TCP("tcp"),
    /** Datagrams as they come. */
    UDP("udp");

    private final String word;

    BackendProtocol(String word) {
        this.word = word;
    }

    /** As it stands in names and explanations. */
    public String word() {
        return word;
    }

    @Override
    public String toString() {
        return word;
    }
}
