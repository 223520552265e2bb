package io.parley.control.serve;

import io.parley.identity.token.Subject;
import io.parley.identity.token.TokenVerifier;
import io.parley.identity.token.Verification;
import io.parley.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Checks the tokens of machines. Whether one was revoked may have to be read from the store, so it takes a thread that may block. */
public final class NodeTokens {
    private final TokenVerifier verifier;
    private final Executor blocking;

    public NodeTokens(TokenVerifier verifier, Executor blocking) {
        this.verifier = verifier;
        this.blocking = blocking;
    }

    /** What a token proves. */
    public sealed interface Proof {
        /** Whose it is. */
        record Of(Subject subject) implements Proof {}

        /** Nobody's; the reason is for the log and for the one who holds it. */
        record None(String reason) implements Proof {}
    }

    public CompletableFuture<Proof> verify(String token) {
        return CompletableFuture.supplyAsync(() -> check(token), blocking);
    }

    private Proof check(String token) {
        try {
            return switch (verifier.verify(token)) {
                case Verification.Valid valid -> new Proof.Of(valid.token().subject());
                case Verification.Refused(String reason) -> new Proof.None("token refused: " + reason);
            };
        } catch (StoreException e) {
            return new Proof.None("cannot tell whether the token was revoked: " + e.getMessage());
        }
    }
}
