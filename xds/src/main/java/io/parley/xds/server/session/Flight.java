package io.parley.xds.server.session;

/** An answer that was sent and neither accepted nor rejected yet. */
record Flight(String nonce, String version, long sentAt) {}
