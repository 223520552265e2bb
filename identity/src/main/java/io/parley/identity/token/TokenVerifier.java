package io.parley.identity.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.security.interfaces.ECPublicKey;
import java.text.ParseException;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks a token's text: signature by a key we know, time, audience, revocation. The reasons for a refusal are for our log; a
 * stranger is told only that the token was refused.
 */
public final class TokenVerifier {
    /** A token of ours is under 1 KiB; no stranger makes us parse more than this. */
    private static final int MAX_LENGTH = 8 * 1024;

    private final Function<String, Optional<ECPublicKey>> keyById;
    private final Predicate<Token> revoked;
    private final Clock clock;

    /**
     * Makes a verifier.
     *
     * @param keyById the public key with this id, if it still counts
     * @param revoked whether a token was withdrawn
     */
    public TokenVerifier(Function<String, Optional<ECPublicKey>> keyById, Predicate<Token> revoked, Clock clock) {
        this.keyById = keyById;
        this.revoked = revoked;
        this.clock = clock;
    }

    public Verification verify(String text) {
        if (text.length() > MAX_LENGTH) {
            return new Verification.Refused(
                    "token of " + text.length() + " characters (expected: at most " + MAX_LENGTH + ")");
        }
        Verification verification = verifyText(text);
        // Asked last, and not within reach of the catch below: that the list cannot be read says nothing about the
        // token.
        if (verification instanceof Verification.Valid(Token token) && revoked.test(token)) {
            return new Verification.Refused("revoked: " + token.id());
        }
        return verification;
    }

    /** Whether a token that counted was taken back since, or the key that signed it; that its time is over does not matter. */
    public boolean isWithdrawn(Token token) {
        return revoked.test(token) || keyById.apply(token.keyId()).isEmpty();
    }

    private Verification verifyText(String text) {
        try {
            SignedJWT jwt = SignedJWT.parse(text);
            Optional<String> badSignature = signatureProblem(jwt);
            if (badSignature.isPresent()) {
                return new Verification.Refused(badSignature.get());
            }
            return verifyClaims(jwt.getHeader().getKeyID(), jwt.getJWTClaimsSet());
        } catch (ParseException | JOSEException | RuntimeException e) {
            // The parser meets strangers: whatever it stumbles over, the token is not ours.
            return new Verification.Refused("not a token: " + e.getMessage());
        }
    }

    private Optional<String> signatureProblem(SignedJWT jwt) throws JOSEException {
        if (!JWSAlgorithm.ES256.equals(jwt.getHeader().getAlgorithm())) {
            return Optional.of("algorithm: " + jwt.getHeader().getAlgorithm() + " (expected: ES256)");
        }
        String keyId = jwt.getHeader().getKeyID();
        Optional<ECPublicKey> key = keyId == null ? Optional.empty() : keyById.apply(keyId);
        if (key.isEmpty()) {
            return Optional.of("signing key: " + keyId + " (expected: one of this control plane's)");
        }
        return jwt.verify(new ECDSAVerifier(key.get())) ? Optional.empty() : Optional.of("signature does not match");
    }

    private Verification verifyClaims(String keyId, JWTClaimsSet claims) throws ParseException {
        Instant now = clock.instant();
        Date expires = claims.getExpirationTime();
        Date notBefore = claims.getNotBeforeTime();
        String id = claims.getJWTID();
        if (expires == null || !now.isBefore(expires.toInstant())) {
            return new Verification.Refused("expired at " + expires);
        }
        if (notBefore == null || now.isBefore(notBefore.toInstant())) {
            return new Verification.Refused("not valid before " + notBefore);
        }
        if (id == null) {
            return new Verification.Refused("id: none (expected: one, by which it can be revoked)");
        }
        return subject(claims)
                .<Verification>map(
                        subject -> new Verification.Valid(new Token(id, keyId, subject, expires.toInstant())))
                .orElseGet(() ->
                        new Verification.Refused("audience: " + claims.getAudience() + " (expected: one of Parley's)"));
    }

    private static Optional<Subject> subject(JWTClaimsSet claims) throws ParseException {
        List<String> audience = claims.getAudience();
        if (audience.size() != 1) {
            return Optional.empty();
        }
        String name = orEmpty(claims.getSubject());
        return switch (audience.getFirst()) {
            case Claims.API -> Optional.of(new Subject.User(name, groups(claims), tenant(claims)));
            case Claims.DATAPLANE ->
                Optional.of(new Subject.Dataplane(orEmpty(claims.getStringClaim(Claims.MESH)), name, tenant(claims)));
            case Claims.SERVICE ->
                Optional.of(new Subject.Service(orEmpty(claims.getStringClaim(Claims.MESH)), name, tenant(claims)));
            case Claims.GATEWAY ->
                Optional.of(new Subject.Gateway(orEmpty(claims.getStringClaim(Claims.NAMESPACE)), name));
            case Claims.ZONE_PROXY -> Optional.of(new Subject.ZoneProxy(name));
            case Claims.ZONE -> Optional.of(new Subject.Zone(name, tenant(claims)));
            default -> Optional.empty();
        };
    }

    private static Set<String> groups(JWTClaimsSet claims) throws ParseException {
        List<String> groups = claims.getStringListClaim(Claims.GROUPS);
        return groups == null ? Set.of() : new HashSet<>(groups);
    }

    private static String tenant(JWTClaimsSet claims) throws ParseException {
        return orEmpty(claims.getStringClaim(Claims.TENANT));
    }

    private static String orEmpty(@Nullable String claim) {
        return claim == null ? "" : claim;
    }
}
