package io.parley.xds.server.session;

/** An answer that was sent and neither accepted nor rejected yet. */
record Flight(String nonce, String version, Purpose purpose, long sentAt) {
    enum Purpose {
        /** To bring the client up to date. */
        NEWS,
        /** To keep what it has from expiring, which says nothing about what it rejected. */
        HEARTBEAT
    }
}
