package io.parley.identity.token;

import io.parley.identity.certificate.KeyPairs;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;

/**
 * A key pair that signs tokens. Asymmetric, so that a place which only checks tokens never holds what makes them.
 *
 * @param id named in each token's header, so that keys can be replaced while old tokens still count
 */
public record SigningKey(String id, ECPublicKey publicKey, ECPrivateKey privateKey) {
    public static SigningKey generate(String id, SecureRandom random) {
        KeyPair pair = KeyPairs.generate(random);
        return new SigningKey(id, (ECPublicKey) pair.getPublic(), (ECPrivateKey) pair.getPrivate());
    }

    /** The key that {@link #encodedPublic} and {@link #encodedPrivate} wrote. */
    public static SigningKey decode(String id, byte[] encodedPublic, byte[] encodedPrivate) {
        try {
            KeyFactory factory = KeyFactory.getInstance("EC");
            return new SigningKey(
                    id, (ECPublicKey) factory.generatePublic(new X509EncodedKeySpec(encodedPublic)), (ECPrivateKey)
                            factory.generatePrivate(new PKCS8EncodedKeySpec(encodedPrivate)));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "signing key " + id + ": not an EC key (expected: X.509 and PKCS #8)", e);
        }
    }

    public byte[] encodedPublic() {
        return publicKey.getEncoded();
    }

    public byte[] encodedPrivate() {
        return privateKey.getEncoded();
    }

    @Override
    public String toString() {
        return "SigningKey[" + id + ", redacted]";
    }
}
