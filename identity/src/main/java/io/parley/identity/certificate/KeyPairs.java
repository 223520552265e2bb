package io.parley.identity.certificate;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;

/** Key pairs for certificates: EC P-256, the one curve that every TLS stack of the last ten years speaks fast. */
public final class KeyPairs {
    private KeyPairs() {}

    public static KeyPair generate(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has EC P-256", e);
        }
    }

    /** Whether the one is the private part of the other: what it signs is looked at, which is the same for every kind of key. */
    public static boolean belong(PrivateKey key, PublicKey shown) {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EdDSA", "Ed25519" -> "Ed25519";
            default -> "SHA256withECDSA";
        };
        byte[] anything = shown.getEncoded();
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(anything);
            byte[] signed = signature.sign();
            signature.initVerify(shown);
            signature.update(anything);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            // Of another kind, even.
            return false;
        }
    }
}
