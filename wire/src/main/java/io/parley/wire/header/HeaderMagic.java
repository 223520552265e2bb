package io.parley.wire.header;

import java.nio.charset.StandardCharsets;

/** The two ways in which a connection header begins. What follows is the same: a length and a message. */
public enum HeaderMagic {
    /** The design document's 12 bytes. Its port may be 0, which asks for gateway handling. */
    DOCUMENT("l5d.io/proxy"),

    /** What Linkerd ships, announced by {@link ConnectionHeader#ALPN}. Its port is mandatory. */
    SHIPPED("transport.l5d.io/v1\r\n\r\n");

    private final String text;

    HeaderMagic(String text) {
        this.text = text;
    }

    int length() {
        return text.length();
    }

    byte at(int index) {
        return (byte) text.charAt(index);
    }

    byte[] bytes() {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
