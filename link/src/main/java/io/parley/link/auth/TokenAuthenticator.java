package io.parley.link.auth;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** By a data plane token in the Authorization header. Who checks it is given. */
public final class TokenAuthenticator implements LinkAuthenticator {
    private final BiFunction<String, LinkCredentials, CompletableFuture<Authentication>> verify;

    /** The function gets the bare token, and what else the node showed. */
    public TokenAuthenticator(BiFunction<String, LinkCredentials, CompletableFuture<Authentication>> verify) {
        this.verify = verify;
    }

    @Override
    public CompletableFuture<Authentication> authenticate(LinkCredentials credentials) {
        String token = credentials.bearerToken();
        return token == null
                ? CompletableFuture.completedFuture(
                        new Authentication.Unauthenticated("no token (expected: Authorization: Bearer ...)"))
                : verify.apply(token, credentials);
    }
}
