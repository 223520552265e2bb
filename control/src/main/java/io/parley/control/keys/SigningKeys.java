package io.parley.control.keys;

import io.parley.identity.token.SigningKey;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.security.interfaces.ECPublicKey;
import java.util.Optional;

/** The key pair that signs this mesh's tokens, shared by all control planes of one store. */
public final class SigningKeys {
    private static final String NAME = "token-signing-key-1";

    private final SigningKey current;

    private SigningKeys(SigningKey current) {
        this.current = current;
    }

    /** Reads the key, or makes it if this is the store's first control plane. */
    public static SigningKeys open(SealedSecrets secrets, SecureRandom random) {
        byte[] encoded = secrets.findOrMake(NAME, () -> encode(SigningKey.generate(NAME, random)));
        return new SigningKeys(decode(encoded));
    }

    public SigningKey current() {
        return current;
    }

    public Optional<ECPublicKey> find(String id) {
        return id.equals(current.id()) ? Optional.of(current.publicKey()) : Optional.empty();
    }

    private static byte[] encode(SigningKey key) {
        byte[] publicKey = key.encodedPublic();
        byte[] privateKey = key.encodedPrivate();
        return ByteBuffer.allocate(Integer.BYTES + publicKey.length + privateKey.length)
                .putInt(publicKey.length)
                .put(publicKey)
                .put(privateKey)
                .array();
    }

    private static SigningKey decode(byte[] encoded) {
        ByteBuffer buffer = ByteBuffer.wrap(encoded);
        byte[] publicKey = new byte[buffer.getInt()];
        buffer.get(publicKey);
        byte[] privateKey = new byte[buffer.remaining()];
        buffer.get(privateKey);
        return SigningKey.decode(NAME, publicKey, privateKey);
    }
}
