package io.parley.identity.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CertificateAuthorityTest {
    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

    private final SecureRandom random = new SecureRandom();
    private final Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
    private final CertificateAuthority authority =
            CertificateAuthority.create("Parley default", Duration.ofDays(3650), clock, random);

    @Test
    void workloadCertificateHasOneNameAndVerifies() throws Exception {
        KeyPair pair = KeyPairs.generate(random);

        X509Certificate leaf =
                authority.issueWorkload(SpiffeId.ofService("default", "web"), pair.getPublic(), Duration.ofHours(24));

        assertThat(leaf.getSubjectAlternativeNames()).containsExactly(List.of(6, "spiffe://default/web"));
        assertThat(leaf.getBasicConstraints()).isEqualTo(-1);
        assertThat(leaf.getExtendedKeyUsage()).containsExactlyInAnyOrder("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
        assertThat(leaf.getNotBefore()).isEqualTo(Date.from(NOW.minus(5, ChronoUnit.MINUTES)));
        assertThat(leaf.getNotAfter()).isEqualTo(Date.from(NOW.plus(24, ChronoUnit.HOURS)));
        verify(leaf, authority.certificate());
    }

    @Test
    void serverCertificateCarriesNamesAndAddresses() throws Exception {
        Credentials server =
                authority.issueServer(List.of("localhost"), List.of("127.0.0.1", "::1"), Duration.ofDays(30));

        assertThat(server.leaf().getSubjectAlternativeNames()).hasSize(3);
        verify(server.leaf(), authority.certificate());
        assertThat(server.toString()).contains("redacted");
    }

    @Test
    void aLeafSignsNothing() {
        Credentials server = authority.issueServer(List.of("localhost"), List.of(), Duration.ofDays(30));

        assertThatThrownBy(() -> new CertificateAuthority(server.leaf(), server.key(), clock, random))
                .hasMessageContaining("expected: basic constraints CA:TRUE");
    }

    @Test
    void survivesItsTextForm() throws Exception {
        String certificate = Pem.encode(authority.certificate());
        String key = Pem.encode(authority.privateKey());

        CertificateAuthority copy =
                new CertificateAuthority(Pem.certificates(certificate).getFirst(), Pem.privateKey(key), clock, random);

        verify(
                copy.issueWorkload(
                        SpiffeId.ofService("default", "web"),
                        KeyPairs.generate(random).getPublic(),
                        Duration.ofHours(1)),
                authority.certificate());
    }

    @Test
    void textWithoutCertificateOrKeyIsRefused() {
        assertThatThrownBy(() -> Pem.certificates("hello"))
                .hasMessageContaining("expected: -----BEGIN CERTIFICATE-----");
        assertThatThrownBy(() -> Pem.privateKey("hello")).hasMessageContaining("0 private keys");
        assertThatThrownBy(() -> Pem.certificates("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"))
                .hasMessageContaining("not a certificate");
    }

    private static void verify(X509Certificate leaf, X509Certificate root) throws Exception {
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(NOW));
        CertPathValidator.getInstance("PKIX")
                .validate(CertificateFactory.getInstance("X.509").generateCertPath(List.of(leaf)), parameters);
    }
}
