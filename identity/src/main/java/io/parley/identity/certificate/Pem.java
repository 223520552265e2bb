package io.parley.identity.certificate;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of certificates and keys (RFC 7468). */
public final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";
    private static final String RSA_KEY = "RSA PRIVATE KEY";
    private static final String EC_KEY = "EC PRIVATE KEY";

    private Pem() {}

    public static String encode(X509Certificate certificate) {
        try {
            return encode(CERTIFICATE, certificate.getEncoded());
        } catch (CertificateException e) {
            throw new IllegalStateException("a parsed certificate has an encoding", e);
        }
    }

    public static String encode(List<X509Certificate> chain) {
        StringBuilder text = new StringBuilder();
        chain.forEach(certificate -> text.append(encode(certificate)));
        return text.toString();
    }

    public static String encode(PrivateKey key) {
        return encode(PRIVATE_KEY, key.getEncoded());
    }

    static String encode(String label, byte[] content) {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }

    /** Every certificate in the text, in order. */
    public static List<X509Certificate> certificates(String text) {
        List<X509Certificate> certificates = new ArrayList<>();
        for (byte[] content : blocks(text, CERTIFICATE)) {
            certificates.add(certificate(content));
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("no certificate found (expected: -----BEGIN CERTIFICATE-----)");
        }
        return List.copyOf(certificates);
    }

    /** The one private key in the text, in PKCS #8 or as RSA and EC keys were written before. */
    public static PrivateKey privateKey(String text) {
        List<byte[]> keys = new ArrayList<>(blocks(text, PRIVATE_KEY));
        blocks(text, RSA_KEY).forEach(key -> keys.add(OlderKeys.rsa(key)));
        blocks(text, EC_KEY).forEach(key -> keys.add(OlderKeys.ec(key)));
        if (keys.size() != 1) {
            throw new IllegalArgumentException(
                    keys.size() + " private keys found (expected: one, -----BEGIN PRIVATE KEY-----)");
        }
        for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(keys.getFirst()));
            } catch (GeneralSecurityException e) {
                // Not this algorithm: PKCS #8 names it inside, where KeyFactory does not let us look.
            }
        }
        throw new IllegalArgumentException("private key: unknown algorithm (expected: EC, RSA or Ed25519)");
    }

    /** The content of every block with this label. */
    static List<byte[]> blocks(String text, String label) {
        List<byte[]> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            if (matcher.group(1).equals(label)) {
                blocks.add(Base64.getMimeDecoder().decode(matcher.group(2)));
            }
        }
        return blocks;
    }

    static X509Certificate certificate(byte[] der) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException e) {
            throw new IllegalArgumentException("not a certificate: " + e.getMessage(), e);
        }
    }
}
