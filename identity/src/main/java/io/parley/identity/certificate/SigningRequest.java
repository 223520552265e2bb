package io.parley.identity.certificate;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A request for a workload certificate that passed every check: it asks for one identity that its sender has, or leaves the
 * names to us, and its sender holds the key. Asking for more is the attack of Consul's CVE-2022-40716, so more is refused, not ignored.
 *
 * @param identities the names that the certificate will have, and no others
 * @param publicKey the key that the certificate will be for
 */
public record SigningRequest(List<SpiffeId> identities, PublicKey publicKey) {
    private static final int MAX_BYTES = 16 * 1024;
    private static final int MIN_RSA_BITS = 2048;

    public SigningRequest {
        identities = List.copyOf(identities);
    }

    /** Reads a PKCS #10 request in DER of a sender with one identity. */
    public static SigningRequest read(byte[] der, SpiffeId sender) {
        return read(der, List.of(sender));
    }

    /** Reads a PKCS #10 request in DER. Throws {@link RefusedException} with the reason if anything is wrong with it. */
    public static SigningRequest read(byte[] der, List<SpiffeId> sender) {
        if (der.length > MAX_BYTES) {
            throw new RefusedException(der.length + " bytes (expected: at most " + MAX_BYTES + ")");
        }
        try {
            JcaPKCS10CertificationRequest request = new JcaPKCS10CertificationRequest(der);
            PublicKey publicKey = request.getPublicKey();
            requireStrongKey(publicKey);
            if (!request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(publicKey))) {
                throw new RefusedException(
                        "the signature does not match the key (expected: a request signed by its own key)");
            }
            requireOwnNameOrNone(request.getRequestedExtensions(), sender);
            return new SigningRequest(sender, publicKey);
        } catch (RefusedException e) {
            throw e;
        } catch (IOException
                | GeneralSecurityException
                | OperatorCreationException
                | PKCSException
                | RuntimeException e) {
            // The parser meets strangers: whatever it stumbles over, there is no certificate.
            throw new RefusedException("not a certificate signing request: " + e.getMessage());
        }
    }

    /** A PKCS #10 request in DER for whatever name its sender has. */
    public static byte[] write(KeyPair keys) {
        try {
            String algorithm = keys.getPrivate().getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
            return new JcaPKCS10CertificationRequestBuilder(new X500Name(new RDN[0]), keys.getPublic())
                    .build(new JcaContentSignerBuilder(algorithm).build(keys.getPrivate()))
                    .getEncoded();
        } catch (IOException | OperatorCreationException e) {
            throw new IllegalStateException(
                    "cannot sign with a " + keys.getPrivate().getAlgorithm() + " key", e);
        }
    }

    private static void requireStrongKey(PublicKey key) {
        boolean strong = switch (key) {
            case ECPublicKey ec -> ec.getParams().getOrder().bitLength() >= 256;
            case RSAPublicKey rsa -> rsa.getModulus().bitLength() >= MIN_RSA_BITS;
            default -> false;
        };
        if (!strong) {
            throw new RefusedException(
                    "key: " + key.getAlgorithm() + " (expected: EC of 256 bits or RSA of 2048 or more)");
        }
    }

    private static void requireOwnNameOrNone(@Nullable Extensions extensions, List<SpiffeId> sender) {
        if (extensions == null) {
            return;
        }
        BasicConstraints constraints = BasicConstraints.fromExtensions(extensions);
        if (constraints != null && constraints.isCA()) {
            throw new RefusedException("it asks to be an authority (expected: a leaf)");
        }
        List<String> names = new ArrayList<>();
        GeneralNames alternatives = GeneralNames.fromExtensions(extensions, Extension.subjectAlternativeName);
        if (alternatives != null) {
            for (GeneralName name : alternatives.getNames()) {
                names.add(name.getTagNo() + ":" + name.getName());
            }
        }
        boolean own =
                sender.stream().anyMatch(id -> names.equals(List.of(GeneralName.uniformResourceIdentifier + ":" + id)));
        if (!names.isEmpty() && !own) {
            throw new RefusedException(
                    "names: " + names + " (expected: none, or only the sender's own, one of " + sender + ")");
        }
    }

    /** Why no certificate is issued. */
    public static final class RefusedException extends RuntimeException {
        RefusedException(String reason) {
            super(reason);
        }
    }
}
