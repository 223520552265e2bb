package io.parley.wire.wrpc;

import java.nio.charset.StandardCharsets;

/**
 * Why a connection ends: a WebSocket status code and a text for people.
 *
 * @param text cut to what a close frame carries: 125 bytes less the code (RFC 6455, 5.5)
 */
public record CloseReason(int code, String text) {
    public static final int NORMAL = 1000;
    public static final int GOING_AWAY = 1001;
    public static final int PROTOCOL_ERROR = 1002;
    public static final int UNSUPPORTED_DATA = 1003;
    public static final int INVALID_DATA = 1007;
    public static final int POLICY_VIOLATION = 1008;
    public static final int TOO_BIG = 1009;
    public static final int TRY_AGAIN_LATER = 1013;

    /** RFC 6455, 7.4.1: never sent; stands for a close frame that has no code. */
    public static final int NO_STATUS = 1005;

    /** RFC 6455, 7.4.1: never sent; stands for a connection that ended without a close frame. */
    public static final int ABNORMAL = 1006;

    private static final int MAX_TEXT_BYTES = 123;

    public CloseReason {
        text = cut(text);
    }

    private static String cut(String text) {
        if (text.getBytes(StandardCharsets.UTF_8).length <= MAX_TEXT_BYTES) {
            return text;
        }
        int bytes = 0;
        int end = 0;
        while (end < text.length()) {
            int next = text.offsetByCodePoints(end, 1);
            bytes += text.substring(end, next).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_TEXT_BYTES) {
                break;
            }
            end = next;
        }
        return text.substring(0, end);
    }

    @Override
    public String toString() {
        return text.isEmpty() ? Integer.toString(code) : code + " " + text;
    }
}
