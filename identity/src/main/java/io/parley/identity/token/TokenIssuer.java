package io.parley.identity.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Makes tokens with whichever signing key is the current one. */
public final class TokenIssuer {
    private final Supplier<SigningKey> currentKey;
    private final Clock clock;

    public TokenIssuer(Supplier<SigningKey> currentKey, Clock clock) {
        this.currentKey = currentKey;
        this.clock = clock;
    }

    /** The token's text, ready for an {@code Authorization: Bearer} header. */
    public String issue(Subject subject, Duration validFor) {
        if (validFor.isNegative() || validFor.isZero()) {
            throw new IllegalArgumentException("validity: " + validFor + " (expected: more than nothing)");
        }
        SigningKey key = currentKey.get();
        Instant now = clock.instant();
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .jwtID(UUID.randomUUID().toString())
                .issueTime(Date.from(now))
                .notBeforeTime(Date.from(now.minus(Claims.CLOCK_SKEW)))
                .expirationTime(Date.from(now.plus(validFor)))
                .subject(subject.name());
        addSubject(claims, subject);
        SignedJWT jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                        .type(JOSEObjectType.JWT)
                        .keyID(key.id())
                        .build(),
                claims.build());
        try {
            jwt.sign(new ECDSASigner(key.privateKey()));
        } catch (JOSEException e) {
            throw new IllegalStateException("a P-256 key signs ES256", e);
        }
        return jwt.serialize();
    }

    private static void addSubject(JWTClaimsSet.Builder claims, Subject subject) {
        switch (subject) {
            case Subject.User user ->
                claims.audience(Claims.API)
                        .claim(
                                Claims.GROUPS,
                                List.copyOf(user.groups().stream().sorted().toList()))
                        .claim(Claims.TENANT, user.tenant());
            case Subject.Dataplane dataplane ->
                claims.audience(Claims.DATAPLANE)
                        .claim(Claims.MESH, dataplane.mesh())
                        .claim(Claims.TENANT, dataplane.tenant());
            case Subject.Service service ->
                claims.audience(Claims.SERVICE)
                        .claim(Claims.MESH, service.mesh())
                        .claim(Claims.TENANT, service.tenant());
            case Subject.Gateway gateway ->
                claims.audience(Claims.GATEWAY).claim(Claims.NAMESPACE, gateway.namespace());
            case Subject.ZoneProxy _ -> claims.audience(Claims.ZONE_PROXY);
            case Subject.Zone zone -> claims.audience(Claims.ZONE).claim(Claims.TENANT, zone.tenant());
        }
    }
}
