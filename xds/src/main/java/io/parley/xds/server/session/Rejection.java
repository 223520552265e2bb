package io.parley.xds.server.session;

/**
 * A client's NACK.
 *
 * @param version of the answer that it rejected
 * @param lastGood the version that it stays with; empty if it never accepted one
 * @param message its reason, cut at {@value #MAX_MESSAGE} characters
 */
public record Rejection(String version, String lastGood, int code, String message) {
    public static final int MAX_MESSAGE = 4096;

    public Rejection {
        message = message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE) : message;
    }
}
