package io.parley.control.gateway.status;

import io.parley.control.gateway.attach.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * One condition.
 *
 * @param observed the generation that it was found out for; null for the one at hand
 */
public record Condition(
        String type,
        boolean holds,
        String reason,
        String message,
        @Nullable Long observed) {
    private static final int LONGEST = 32_768;

    public Condition {
        message = message.length() <= LONGEST ? message : message.substring(0, LONGEST - 1) + "…";
    }

    public Condition(String type, boolean holds, String reason, String message) {
        this(type, holds, reason, message, null);
    }

    static Condition of(String type, Verdict verdict) {
        return new Condition(type, verdict.good(), verdict.reason(), verdict.message());
    }
}
