package io.parley.proxy.exchange;

/** What can be in the way of a request that is as it must be. */
public enum Hindrance implements Cause {
    NO_ROUTE("no-route", "there is nothing here for this request"),
    DENIED("denied", "access denied"),
    RATE_LIMITED("rate-limited", "too many requests"),
    FAULT("fault-abort", "a failure was asked for by configuration"),
    DIRECT_RESPONSE("direct-response", "the configuration has an answer of its own for this request"),
    UPGRADE("upgrade", "the only protocol that can be switched to is that of WebSockets"),
    NO_BACKEND("no-backend", "there is no usable service behind this", true),
    NO_CLUSTER("no-cluster", NO_BACKEND.told, true),

    /** The log has it already, as what is wrong with its protocol. */
    INVALID_BACKEND("invalid-backend", NO_BACKEND.told),
    NO_ENDPOINT("no-endpoint", "the service cannot be reached", true),
    UNREACHABLE("unreachable", NO_ENDPOINT.told, true),
    OVERFLOW("overflow", "there are too many requests under way", true),
    OVERLOAD("overload", OVERFLOW.told, true),

    /** The log has it already. */
    PROTOCOL_MISMATCH("protocol-mismatch", "the service gave no valid answer"),
    BAD_ANSWER("bad-answer", PROTOCOL_MISMATCH.told, true),
    NO_ANSWER("no-answer", "the service gave no answer", true),
    CUT_OFF("cut-off", NO_ANSWER.told, true),
    TIMEOUT("timeout", "the service gave no answer in time", true),
    STREAM_IDLE("stream-idle", "there was no progress for too long"),
    CLIENT_WINDOW("client-window", "the client ended its output and gives no more window");

    private final String word;
    private final String told;
    private final boolean trouble;

    Hindrance(String word, String told) {
        this(word, told, false);
    }

    Hindrance(String word, String told, boolean trouble) {
        this.word = word;
        this.told = told;
        this.trouble = trouble;
    }

    @Override
    public String word() {
        return word;
    }

    @Override
    public String told() {
        return told;
    }

    @Override
    public boolean isTrouble() {
        return trouble;
    }
}
