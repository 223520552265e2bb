package io.parley.control.gateway.status;

import io.parley.control.gateway.attach.Verdict;

/** One condition. */
public record Condition(String type, boolean holds, String reason, String message) {
    private static final int LONGEST = 32_768;

    public Condition {
        message = message.length() <= LONGEST ? message : message.substring(0, LONGEST - 1) + "…";
    }

    static Condition of(String type, Verdict verdict) {
        return new Condition(type, verdict.good(), verdict.reason(), verdict.message());
    }
}
