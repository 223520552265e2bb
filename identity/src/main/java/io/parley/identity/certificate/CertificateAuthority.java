package io.parley.identity.certificate;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Signs certificates: for a control plane's own port, and for the workloads of one mesh. */
public final class CertificateAuthority {
    /** Peers' clocks may be this far behind ours and still take a fresh certificate. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final int SERIAL_BITS = 127;

    private final X509Certificate certificate;
    private final PrivateKey key;
    private final Clock clock;
    private final SecureRandom random;

    /** An authority from a certificate and key that exist already. */
    public CertificateAuthority(X509Certificate certificate, PrivateKey key, Clock clock, SecureRandom random) {
        if (certificate.getBasicConstraints() < 0) {
            throw new IllegalArgumentException(certificate.getSubjectX500Principal()
                    + ": not a CA certificate (expected: basic constraints CA:TRUE)");
        }
        this.certificate = certificate;
        this.key = key;
        this.clock = clock;
        this.random = random;
    }

    /** A new authority that signs itself. It signs leaves only: no intermediate below it is ever valid. */
    public static CertificateAuthority create(String name, Duration validFor, Clock clock, SecureRandom random) {
        KeyPair pair = KeyPairs.generate(random);
        X500Name subject = commonName(name);
        X509v3CertificateBuilder builder = builder(subject, subject, pair.getPublic(), validFor, clock, random);
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            builder.addExtension(
                    Extension.subjectKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
        } catch (CertIOException | GeneralSecurityException e) {
            throw new IllegalStateException("extensions made from constants are encodable", e);
        }
        return new CertificateAuthority(sign(builder, pair.getPrivate()), pair.getPrivate(), clock, random);
    }

    public X509Certificate certificate() {
        return certificate;
    }

    /** For storing the authority; never shown to anybody. */
    public PrivateKey privateKey() {
        return key;
    }

    /** A certificate for a server that is reached by these names or addresses, with a key of its own. */
    public Credentials issueServer(Collection<String> dnsNames, Collection<String> ipAddresses, Duration validFor) {
        KeyPair pair = KeyPairs.generate(random);
        List<GeneralName> names = Stream.concat(
                        dnsNames.stream().map(name -> new GeneralName(GeneralName.dNSName, name)),
                        ipAddresses.stream().map(address -> new GeneralName(GeneralName.iPAddress, address)))
                .toList();
        X509Certificate leaf =
                issue(commonName("parley server"), names, pair.getPublic(), validFor, KeyPurposeId.id_kp_serverAuth);
        return new Credentials(List.of(leaf), pair.getPrivate());
    }

    /** A certificate by which a workload proves this identity, as client and as server. It has exactly one name. */
    public X509Certificate issueWorkload(SpiffeId identity, PublicKey publicKey, Duration validFor) {
        return issueWorkload(List.of(identity), publicKey, validFor);
    }

    /** The same for a workload that stands for several services: it has exactly these names. */
    public X509Certificate issueWorkload(List<SpiffeId> identities, PublicKey publicKey, Duration validFor) {
        List<GeneralName> names = identities.stream()
                .map(identity -> new GeneralName(GeneralName.uniformResourceIdentifier, identity.toString()))
                .toList();
        // RFC 5280 4.2.1.6: with an empty subject the alternative name is critical, and nobody reads a common name by
        // mistake.
        return issue(
                new X500Name(new RDN[0]),
                names,
                publicKey,
                validFor,
                KeyPurposeId.id_kp_serverAuth,
                KeyPurposeId.id_kp_clientAuth);
    }

    private X509Certificate issue(
            X500Name subject,
            List<GeneralName> names,
            PublicKey publicKey,
            Duration validFor,
            KeyPurposeId... purposes) {
        X500Name issuer =
                X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
        X509v3CertificateBuilder builder = builder(issuer, subject, publicKey, validFor, clock, random);
        boolean namelessSubject = subject.getRDNs().length == 0;
        try {
            JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes));
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    namelessSubject,
                    new GeneralNames(names.toArray(new GeneralName[0])));
            builder.addExtension(
                    Extension.authorityKeyIdentifier, false, extensions.createAuthorityKeyIdentifier(certificate));
        } catch (CertIOException | GeneralSecurityException e) {
            throw new IllegalStateException("extensions made from checked names are encodable", e);
        }
        return sign(builder, key);
    }

    private static X509v3CertificateBuilder builder(
            X500Name issuer,
            X500Name subject,
            PublicKey publicKey,
            Duration validFor,
            Clock clock,
            SecureRandom random) {
        Instant now = clock.instant();
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE),
                Date.from(now.minus(CLOCK_SKEW)),
                Date.from(now.plus(validFor)),
                subject,
                publicKey);
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key) {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EdDSA", "Ed25519" -> "Ed25519";
            default -> "SHA256withECDSA";
        };
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(key)));
        } catch (OperatorCreationException | GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign with a " + key.getAlgorithm() + " key", e);
        }
    }

    private static X500Name commonName(String name) {
        return new X500NameBuilder().addRDN(BCStyle.CN, name).build();
    }
}
