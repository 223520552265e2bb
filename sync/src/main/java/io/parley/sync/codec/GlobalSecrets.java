package io.parley.sync.codec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.Document;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.params.RSAPrivateCrtKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which secrets of the global control plane zones may have (case 36). Of keys that sign zone tokens they get the public part. */
final class GlobalSecrets {
    private static final Logger LOG = LoggerFactory.getLogger(GlobalSecrets.class);
    private static final Set<String> PRIVATE =
            Set.of("envoy-admin-ca", "admin-user-token", "inter-cp-ca", "user-token-revocations");
    private static final String USER_KEY = "user-token-signing-key";
    private static final String ZONE_KEY = "zone-token-signing-key";
    private static final String ZONE_PUBLIC_KEY = "zone-token-signing-public-key";
    private static final String DATA = "data";

    private GlobalSecrets() {}

    static Optional<Resource> shared(Resource secret) {
        String name = secret.key().name();
        if (PRIVATE.contains(name) || name.startsWith(USER_KEY)) {
            return Optional.empty();
        }
        return name.startsWith(ZONE_KEY) ? publicPart(secret) : Optional.of(secret);
    }

    private static Optional<Resource> publicPart(Resource secret) {
        try {
            byte[] pem =
                    Base64.getDecoder().decode(secret.spec().tree().path(DATA).asText());
            return Optional.of(withKey(secret, publicKey(new String(pem, StandardCharsets.US_ASCII))));
        } catch (IOException | RuntimeException e) {
            // Of keys that are not well-formed the parser throws whatever it stumbles over.
            LOG.warn("{} is kept from zones: not a private key that we can use ({})", secret.key(), e.getMessage());
            return Optional.empty();
        }
    }

    private static byte[] publicKey(String pem) throws IOException {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            return switch (parser.readObject()) {
                case PEMKeyPair pair -> publicKey(pair.getPrivateKeyInfo());
                case PrivateKeyInfo info -> publicKey(info);
                case null, default -> throw new IOException("no private key found");
            };
        }
    }

    /** Worked out from the private part: not every form of a private key brings the public one along. */
    private static byte[] publicKey(PrivateKeyInfo info) throws IOException {
        AsymmetricKeyParameter key = switch (PrivateKeyFactory.createKey(info)) {
            case RSAPrivateCrtKeyParameters rsa ->
                new RSAKeyParameters(false, rsa.getModulus(), rsa.getPublicExponent());
            case ECPrivateKeyParameters ec ->
                new ECPublicKeyParameters(
                        new FixedPointCombMultiplier()
                                .multiply(ec.getParameters().getG(), ec.getD()),
                        ec.getParameters());
            case Ed25519PrivateKeyParameters edwards -> edwards.generatePublicKey();
            default ->
                throw new IOException("algorithm "
                        + info.getPrivateKeyAlgorithm().getAlgorithm() + " (expected: RSA, EC or Ed25519)");
        };
        return SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(key).getEncoded();
    }

    private static Resource withKey(Resource secret, byte[] publicKey) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(publicKey);
        String pem = "-----BEGIN PUBLIC KEY-----\n" + body + "\n-----END PUBLIC KEY-----\n";
        ObjectNode spec = Document.EMPTY.tree();
        spec.put(DATA, Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII)));
        ResourceKey key = secret.key();
        String name = ZONE_PUBLIC_KEY + key.name().substring(ZONE_KEY.length());
        return Resource.of(new ResourceKey(key.kind(), key.space(), name), Document.of(spec))
                .withLabels(secret.labels());
    }
}
