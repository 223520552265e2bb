package io.parley.identity.seal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals secrets with AES-256-GCM before they reach the store, so that a copy of the database alone gives nothing away. What is
 * sealed is bound to its label: a sealed secret moved to another name does not open there.
 *
 * <p>Format: one version byte, 12 bytes of nonce, then ciphertext with its 16-byte tag.
 */
public final class MasterKey {
    public static final int BYTES = 32;

    private static final byte FORMAT = 1;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;
    private final SecureRandom random;

    public MasterKey(byte[] key, SecureRandom random) {
        if (key.length != BYTES) {
            throw new IllegalArgumentException("master key: " + key.length + " bytes (expected: " + BYTES + ")");
        }
        this.key = new SecretKeySpec(key, "AES");
        this.random = random;
    }

    public static byte[] generate(SecureRandom random) {
        byte[] key = new byte[BYTES];
        random.nextBytes(key);
        return key;
    }

    public byte[] seal(String label, byte[] secret) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, label).doFinal(secret);
            return ByteBuffer.allocate(1 + NONCE_BYTES + sealed.length)
                    .put(FORMAT)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has AES-GCM", e);
        }
    }

    /** The secret, or an {@link UnsealException} if it was sealed by another key, under another label, or changed since. */
    public byte[] open(String label, byte[] sealed) {
        if (sealed.length < 1 + NONCE_BYTES + TAG_BITS / 8 || sealed[0] != FORMAT) {
            throw new UnsealException(label);
        }
        byte[] nonce = Arrays.copyOfRange(sealed, 1, 1 + NONCE_BYTES);
        try {
            return cipher(Cipher.DECRYPT_MODE, nonce, label)
                    .doFinal(sealed, 1 + NONCE_BYTES, sealed.length - 1 - NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new UnsealException(label);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, String label) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(label.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    @Override
    public String toString() {
        return "MasterKey[redacted]";
    }
}
