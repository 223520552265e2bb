package io.parley.control.gateway.route;

import io.parley.identity.certificate.Pem;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.NoSuchElementException;

/** Whether a certificate and a key are a pair: with another's key no handshake could ever succeed. */
final class KeyPairs {
    private static final byte[] PROBE = "probe".getBytes(StandardCharsets.US_ASCII);

    private KeyPairs() {}

    static boolean isPair(String certificates, String key) {
        try {
            return fits(Pem.privateKey(key), Pem.certificates(certificates).getFirst());
        } catch (IllegalArgumentException | NoSuchElementException _) {
            return false;
        }
    }

    private static boolean fits(PrivateKey key, X509Certificate certificate) {
        try {
            Signature signature = Signature.getInstance(
                    switch (key.getAlgorithm()) {
                        case "RSA" -> "SHA256withRSA";
                        case "EC" -> "SHA256withECDSA";
                        default -> key.getAlgorithm();
                    });
            signature.initSign(key);
            signature.update(PROBE);
            byte[] made = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(PROBE);
            return signature.verify(made);
        } catch (GeneralSecurityException _) {
            return false;
        }
    }
}
