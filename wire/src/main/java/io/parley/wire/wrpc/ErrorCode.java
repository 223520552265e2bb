package io.parley.wire.wrpc;

import io.parley.wire.wrpc.proto.ErrorType;

/** What kind of fault an error frame reports. */
public enum ErrorCode {
    /** Also what any number means that we do not know: the description says the rest. */
    UNSPECIFIED(ErrorType.ERROR_TYPE_UNSPECIFIED),
    GENERIC(ErrorType.ERROR_TYPE_GENERIC),
    INVALID_SERVICE(ErrorType.ERROR_TYPE_INVALID_SERVICE),
    INVALID_RPC(ErrorType.ERROR_TYPE_INVALID_RPC),
    INVALID_PAYLOAD(ErrorType.ERROR_TYPE_INVALID_PAYLOAD);

    private final ErrorType wire;

    ErrorCode(ErrorType wire) {
        this.wire = wire;
    }

    ErrorType wire() {
        return wire;
    }

    static ErrorCode of(ErrorType wire) {
        return switch (wire) {
            case ERROR_TYPE_UNSPECIFIED, UNRECOGNIZED -> UNSPECIFIED;
            case ERROR_TYPE_GENERIC -> GENERIC;
            case ERROR_TYPE_INVALID_SERVICE -> INVALID_SERVICE;
            case ERROR_TYPE_INVALID_RPC -> INVALID_RPC;
            case ERROR_TYPE_INVALID_PAYLOAD -> INVALID_PAYLOAD;
        };
    }
}
