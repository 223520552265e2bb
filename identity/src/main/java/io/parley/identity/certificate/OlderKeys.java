package io.parley.identity.certificate;

import java.io.IOException;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/** Private keys as they were written before PKCS #8, and still are by many who issue certificates. */
final class OlderKeys {
    private OlderKeys() {}

    /** A key in PKCS #1 (RFC 8017 A.1.2), as PKCS #8. */
    static byte[] rsa(byte[] der) {
        return wrap(
                new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
                RSAPrivateKey.getInstance(der));
    }

    /** A key on a named elliptic curve (RFC 5915), as PKCS #8. */
    static byte[] ec(byte[] der) {
        ECPrivateKey key = ECPrivateKey.getInstance(der);
        return wrap(new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, key.getParametersObject()), key);
    }

    private static byte[] wrap(AlgorithmIdentifier algorithm, ASN1Encodable key) {
        try {
            return new PrivateKeyInfo(algorithm, key).getEncoded();
        } catch (IOException e) {
            throw new IllegalArgumentException("private key: " + e.getMessage(), e);
        }
    }
}
