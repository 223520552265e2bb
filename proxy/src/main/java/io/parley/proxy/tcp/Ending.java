package io.parley.proxy.tcp;

/**
 * Why a connection ended.
 *
 * @param cause one of a small set of words, for metrics
 * @param detail for people; empty if the cause says it all
 */
public record Ending(String cause, String detail) {
    static final Ending CLIENT_CLOSED = new Ending("client-closed", "");
    static final Ending SERVER_CLOSED = new Ending("server-closed", "");
    static final Ending IDLE = new Ending("idle", "");
    static final Ending REVOKED = new Ending("revoked", "the client may no longer use the port");
    static final Ending DRAINED = new Ending("drained", "");

    static Ending reset(Throwable error) {
        return new Ending("reset", String.valueOf(error.getMessage()));
    }

    static Ending refused(String cause, String detail) {
        return new Ending(cause, detail);
    }
}
