package io.parley.identity.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTest {
    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");
    private static final Subject USER = new Subject.User("alice", Set.of("admin", "reader"), "");

    private final SigningKey key = SigningKey.generate("1", new SecureRandom());
    private final Map<String, SigningKey> keys = Map.of(key.id(), key);
    private final Set<String> revoked = new HashSet<>();

    @ParameterizedTest
    @ValueSource(strings = {"user", "user-of-tenant", "dataplane", "service", "zone", "zone-of-tenant"})
    void whatWasIssuedIsVerifiedAsTheSameSubject(String kind) {
        Subject subject = switch (kind) {
            case "user" -> USER;
            case "user-of-tenant" -> new Subject.User("alice", Set.of("admin"), "acme");
            case "dataplane" -> new Subject.Dataplane("default", "web-1", "acme");
            case "service" -> new Subject.Service("default", "web", "acme");
            case "zone" -> new Subject.Zone("zone-1", "");
            default -> new Subject.Zone("zone-1", "acme");
        };

        Verification verification = verify(issue(subject), NOW);

        assertThat(verification).isInstanceOfSatisfying(Verification.Valid.class, valid -> {
            assertThat(valid.token().subject()).isEqualTo(subject);
            assertThat(valid.token().expires()).isEqualTo(NOW.plus(Duration.ofHours(8)));
        });
    }

    @Test
    void expires() {
        String token = issue(USER);

        assertThat(verify(token, NOW.plus(Duration.ofHours(8)).minusSeconds(1))).isInstanceOf(Verification.Valid.class);
        assertRefused(verify(token, NOW.plus(Duration.ofHours(8))), "expired");
    }

    @Test
    void allowsForClocksThatAreALittleBehind() {
        String token = issue(USER);

        assertThat(verify(token, NOW.minus(Duration.ofMinutes(5)))).isInstanceOf(Verification.Valid.class);
        assertRefused(verify(token, NOW.minus(Duration.ofMinutes(6))), "not valid before");
    }

    @Test
    void aRevokedTokenIsRefused() {
        String token = issue(USER);
        revoked.add(((Verification.Valid) verify(token, NOW)).token().id());

        assertRefused(verify(token, NOW), "revoked");
    }

    @Test
    void aTokenOfAnotherKeyIsRefusedEvenUnderTheSameKeyId() {
        SigningKey foreign = SigningKey.generate("1", new SecureRandom());
        String token = new TokenIssuer(() -> foreign, clockAt(NOW)).issue(USER, Duration.ofHours(1));

        assertRefused(verify(token, NOW), "signature does not match");
    }

    @Test
    void aTokenOfAnUnknownKeyIsRefused() {
        SigningKey retired = SigningKey.generate("0", new SecureRandom());
        String token = new TokenIssuer(() -> retired, clockAt(NOW)).issue(USER, Duration.ofHours(1));

        assertRefused(verify(token, NOW), "signing key: 0");
    }

    @Test
    void anUnsignedTokenIsRefused() {
        String plain = new PlainJWT(new JWTClaimsSet.Builder()
                        .audience("parley/api")
                        .subject("alice")
                        .build())
                .serialize();

        assertThat(verify(plain, NOW)).isInstanceOf(Verification.Refused.class);
    }

    @Test
    void thePublicKeyIsNoSecretKey() throws Exception {
        // The confusion attack: signed with HMAC, the public key's bytes as the secret.
        SignedJWT jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("1").build(),
                new JWTClaimsSet.Builder().audience("parley/api").build());
        jwt.sign(new MACSigner(key.encodedPublic()));

        assertRefused(verify(jwt.serialize(), NOW), "expected: ES256");
    }

    @Test
    void aTokenForSeveralAudiencesOrAnUnknownOneIsRefused() throws Exception {
        assertRefused(
                verify(signed(valid().audience(java.util.List.of("parley/api", "parley/zone"))), NOW), "audience");
        assertRefused(verify(signed(valid().audience("elsewhere")), NOW), "audience");
    }

    @Test
    void aTokenWithoutExpiryOrIdIsRefused() throws Exception {
        assertRefused(verify(signed(valid().expirationTime(null)), NOW), "expired");
        assertRefused(verify(signed(valid().notBeforeTime(null)), NOW), "not valid before");
        assertRefused(verify(signed(valid().jwtID(null)), NOW), "revoked");
    }

    @Test
    void aDataplaneTokenWithoutMeshIsRefused() throws Exception {
        assertThat(verify(signed(valid().audience("parley/dataplane")), NOW)).isInstanceOf(Verification.Refused.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "{}", "Bearer x"})
    void garbageIsRefused(String text) {
        assertThat(verify(text, NOW)).isInstanceOf(Verification.Refused.class);
    }

    @Test
    void aHugeTokenIsNotEvenParsed() {
        assertRefused(verify("x".repeat(8193), NOW), "8193 characters");
    }

    @Test
    void aKeySurvivesItsEncoding() {
        SigningKey copy = SigningKey.decode("1", key.encodedPublic(), key.encodedPrivate());

        String token = new TokenIssuer(() -> copy, clockAt(NOW)).issue(USER, Duration.ofHours(1));

        assertThat(verify(token, NOW)).isInstanceOf(Verification.Valid.class);
        assertThat(key).hasToString("SigningKey[1, redacted]");
    }

    @Test
    void refusesToIssueWhatIsNeverValid() {
        assertThatThrownBy(() -> new TokenIssuer(() -> key, clockAt(NOW)).issue(USER, Duration.ZERO))
                .hasMessageContaining("validity");
        assertThatThrownBy(() -> new Subject.Zone(" ", "")).hasMessageContaining("zone: blank");
    }

    private String issue(Subject subject) {
        return new TokenIssuer(() -> key, clockAt(NOW)).issue(subject, Duration.ofHours(8));
    }

    private Verification verify(String token, Instant at) {
        return new TokenVerifier(
                        id -> Optional.ofNullable(keys.get(id)).map(SigningKey::publicKey),
                        withdrawn -> revoked.contains(withdrawn.id()),
                        clockAt(at))
                .verify(token);
    }

    private static JWTClaimsSet.Builder valid() {
        return new JWTClaimsSet.Builder()
                .jwtID("1")
                .subject("alice")
                .audience("parley/api")
                .notBeforeTime(Date.from(NOW))
                .expirationTime(Date.from(NOW.plusSeconds(60)));
    }

    private String signed(JWTClaimsSet.Builder claims) throws Exception {
        SignedJWT jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("1").build(), claims.build());
        jwt.sign(new ECDSASigner(key.privateKey()));
        return jwt.serialize();
    }

    private static void assertRefused(Verification verification, String reason) {
        assertThat(verification)
                .isInstanceOfSatisfying(
                        Verification.Refused.class,
                        refused -> assertThat(refused.reason()).contains(reason));
    }

    private static Clock clockAt(Instant instant) {
        return Clock.fixed(instant, ZoneOffset.UTC);
    }
}
