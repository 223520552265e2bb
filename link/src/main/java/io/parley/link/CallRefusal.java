package io.parley.link;

import io.parley.wire.wrpc.ErrorCode;

/** Thrown by whoever serves a call that it will not serve. The peer gets the code and the message. */
public final class CallRefusal extends RuntimeException {
    private final ErrorCode code;

    public CallRefusal(ErrorCode code, String message) {
        // Without a stack trace: it is an answer, and peers can cause it at will.
        super(message, null, false, false);
        this.code = code;
    }

    /** What a service says no with. */
    public static CallRefusal because(String reason) {
        return new CallRefusal(ErrorCode.GENERIC, reason);
    }

    public ErrorCode code() {
        return code;
    }
}
