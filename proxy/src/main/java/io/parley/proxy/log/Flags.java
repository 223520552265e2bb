package io.parley.proxy.log;

import io.parley.proxy.log.Entry.Subject;
import org.jspecify.annotations.Nullable;

/** Envoy's short words for what went wrong, from the proxy's own. */
final class Flags {
    private Flags() {}

    static @Nullable String of(Entry entry) {
        if (entry.cause() == null) {
            return entry.subject() == Subject.REQUEST && entry.status() == 0 ? "DC" : null;
        }
        return switch (entry.cause()) {
            case "no-route" -> "NR";
            case "no-cluster" -> "NC";
            case "no-endpoint" -> "UH";
            case "overflow" -> "UO";
            case "unreachable", "loop" -> "UF";
            case "timeout" -> "UT";
            case "stream-idle" -> "SI";
            case "no-answer", "cut-off" -> "UC";
            case "bad-answer", "protocol-mismatch" -> "UPE";
            case "fault-abort" -> "FI";
            case "rate-limited" -> "RL";
            case "denied", "unauthorized" -> "UAEX";
            case "reset" -> "DC";
            default -> null;
        };
    }
}
