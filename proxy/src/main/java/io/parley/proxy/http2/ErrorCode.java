package io.parley.proxy.http2;

import java.util.Locale;

/** Why a stream or a connection ends (RFC 9113 section 7). */
enum ErrorCode {
    NO_ERROR(0),
    PROTOCOL_ERROR(1),
    INTERNAL_ERROR(2),
    FLOW_CONTROL_ERROR(3),
    SETTINGS_TIMEOUT(4),
    STREAM_CLOSED(5),
    FRAME_SIZE_ERROR(6),
    REFUSED_STREAM(7),
    CANCEL(8),
    COMPRESSION_ERROR(9),
    CONNECT_ERROR(10),
    ENHANCE_YOUR_CALM(11),
    INADEQUATE_SECURITY(12),
    HTTP_1_1_REQUIRED(13);

    private static final ErrorCode[] ALL = values();

    private final int number;

    ErrorCode(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** Its word in the metrics. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What a number is called, whether it is known or not. */
    static String nameOf(long number) {
        return number >= 0 && number < ALL.length ? ALL[(int) number].name() : "error " + number;
    }
}
