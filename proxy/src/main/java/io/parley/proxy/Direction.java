package io.parley.proxy;

/** Which way a connection goes, seen from the application that the proxy stands beside. */
public enum Direction {
    INBOUND("inbound"),
    OUTBOUND("outbound");

    private final String text;

    Direction(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
