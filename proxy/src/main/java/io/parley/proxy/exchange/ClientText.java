package io.parley.proxy.exchange;

/**
 * What a client is told of a failure: which kind of failure it is, always in the same words. Addresses, names of objects and what the
 * machine said are for those who run the mesh, who find them in the log: a client may be anybody.
 */
final class ClientText {
    private ClientText() {}

    /** What was written for clients, by whoever wrote the configuration or about their own requests, they are told as it is. */
    static String of(LocalAnswer.Failure failure) {
        return switch (failure.cause()) {
            case "no-route" -> "there is nothing here for this request";
            case "no-backend", "no-cluster", "invalid-backend" -> "there is no usable service behind this";
            case "no-endpoint", "unreachable" -> "the service cannot be reached";
            case "overflow", "overload" -> "there are too many requests under way";
            case "protocol-mismatch", "bad-answer" -> "the service gave no valid answer";
            case "no-answer", "cut-off" -> "the service gave no answer";
            case "timeout" -> "the service gave no answer in time";
            case "denied" -> "access denied";
            case "stream-idle" -> "there was no progress for too long";
            default -> failure.text();
        };
    }

    /** Whether something is wrong with the mesh or a service in it, about which nothing else is logged. */
    static boolean hidesTrouble(LocalAnswer.Failure failure) {
        return switch (failure.cause()) {
            case "no-backend", "no-cluster", "no-endpoint", "unreachable", "overflow", "overload" -> true;
            case "bad-answer", "no-answer", "cut-off", "timeout" -> true;
            default -> false;
        };
    }
}
