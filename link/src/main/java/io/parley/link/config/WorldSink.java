package io.parley.link.config;

import java.util.concurrent.CompletableFuture;

/** Where a whole configuration goes on a node. Called on the link's event loop: must not block. */
public interface WorldSink {
    /** Of what is in force: {@link World#NO_HASH} if nothing is. */
    String hash();

    /** Completes when it is in force; fails with {@link io.parley.link.CallRefusal} if it is not. */
    CompletableFuture<Void> apply(byte[] json, String hash);
}
