package io.parley.sync.auth;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.parley.identity.token.Subject;
import io.parley.identity.token.Token;
import io.parley.identity.token.TokenVerifier;
import io.parley.identity.token.Verification;
import io.parley.sync.grpc.SyncHeaders;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Zones prove who they are by {@code Authorization: Bearer}, with a token that names zone and tenant. */
public final class TokenZoneAuthenticator implements ZoneAuthenticator {
    private static final String BEARER = "Bearer ";

    private final Function<String, Verification> verifier;

    public TokenZoneAuthenticator(TokenVerifier verifier) {
        this.verifier = verifier::verify;
    }

    @Override
    public Answer authenticate(Metadata headers, Attributes connection) {
        @Nullable String header = headers.get(SyncHeaders.AUTHORIZATION);
        if (header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return new Answer.Refused("no token (expected: Authorization: Bearer with a zone token)");
        }
        return switch (verifier.apply(header.substring(BEARER.length()).strip())) {
            case Verification.Refused(String reason) -> new Answer.Refused(reason);
            case Verification.Valid(Token token) ->
                token.subject() instanceof Subject.Zone(String name, String tenant)
                        ? new Answer.Proven(new ZoneIdentity(tenant, name))
                        : new Answer.Refused("token of " + token.subject().name() + " (expected: a zone token)");
        };
    }
}
