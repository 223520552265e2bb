package io.parley.control.serve;

import io.parley.identity.token.Subject;
import io.parley.identity.token.Token;
import io.parley.identity.token.TokenVerifier;
import io.parley.identity.token.Verification;
import io.parley.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the tokens of machines. Whether one was revoked may have to be read from the store, so it takes a thread that may block. */
public final class NodeTokens {
    private static final Logger LOG = LoggerFactory.getLogger(NodeTokens.class);

    private final TokenVerifier verifier;
    private final Executor blocking;

    public NodeTokens(TokenVerifier verifier, Executor blocking) {
        this.verifier = verifier;
        this.blocking = blocking;
    }

    /** What a token proves. */
    public sealed interface Proof {
        /**
         * Whose it is.
         *
         * @param holds whether the token still counts, but for its time; asking may block
         */
        record Of(Subject subject, BooleanSupplier holds) implements Proof {}

        /** Nobody's; the reason is for the one who holds it, the log has more. */
        record None(String reason) implements Proof {}
    }

    public CompletableFuture<Proof> verify(String token) {
        return CompletableFuture.supplyAsync(() -> check(token), blocking);
    }

    private Proof check(String token) {
        try {
            return switch (verifier.verify(token)) {
                case Verification.Valid valid -> new Proof.Of(valid.token().subject(), () -> holds(valid.token()));
                case Verification.Refused(String reason) -> {
                    LOG.info("token refused: {}", reason);
                    yield new Proof.None("the token was refused (expired, withdrawn, or not of this control plane)");
                }
            };
        } catch (StoreException e) {
            LOG.warn("cannot tell whether a token was revoked: {}", e.getMessage());
            return new Proof.None("the token cannot be checked now; try again later");
        }
    }

    /** While the store is away nobody is turned out. */
    private boolean holds(Token token) {
        try {
            return !verifier.isWithdrawn(token);
        } catch (StoreException e) {
            return true;
        }
    }
}
