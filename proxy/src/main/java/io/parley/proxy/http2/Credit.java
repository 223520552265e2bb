package io.parley.proxy.http2;

/** How much a peer may still send, on a stream or on all of them (RFC 9113 section 5.2). */
final class Credit {
    private final int most;
    private int left;
    private int consumed;

    Credit(int most) {
        this.most = most;
        this.left = most;
    }

    /** Takes what came; whether there was credit for it. */
    boolean take(int bytes) {
        left -= bytes;
        return left >= 0;
    }

    /** So much of what came has been passed on. What the peer is to be told it may send anew, which is nothing if it is little. */
    int consumed(int bytes) {
        consumed += bytes;
        if (consumed < most / 2) {
            return 0;
        }
        int anew = consumed;
        consumed = 0;
        left += anew;
        return anew;
    }
}
