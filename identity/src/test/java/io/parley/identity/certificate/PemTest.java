package io.parley.identity.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.ECPrivateKey;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.junit.jupiter.api.Test;

class PemTest {
    @Test
    void readsAnRsaKeyAsItWasWrittenBefore() throws GeneralSecurityException, IOException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2_048);
        KeyPair pair = generator.generateKeyPair();
        byte[] inner = PrivateKeyInfo.getInstance(pair.getPrivate().getEncoded())
                .parsePrivateKey()
                .toASN1Primitive()
                .getEncoded();
        assertThat(Pem.privateKey(Pem.encode("RSA PRIVATE KEY", inner))).isEqualTo(pair.getPrivate());
    }

    @Test
    void readsAnEcKeyAsItWasWrittenBefore() throws IOException {
        ECPrivateKey key = (ECPrivateKey) KeyPairs.generate(new SecureRandom()).getPrivate();
        byte[] inner = new org.bouncycastle.asn1.sec.ECPrivateKey(256, key.getS(), X9ObjectIdentifiers.prime256v1)
                .getEncoded();
        ECPrivateKey read = (ECPrivateKey) Pem.privateKey(Pem.encode("EC PRIVATE KEY", inner));
        assertThat(read.getS()).isEqualTo(key.getS());
    }

    @Test
    void aKeyThatIsNoneIsRefused() {
        assertThatThrownBy(() -> Pem.privateKey(Pem.encode("RSA PRIVATE KEY", new byte[] {1, 2, 3})))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Pem.privateKey("nothing"))
                .hasMessage("0 private keys found (expected: one, -----BEGIN PRIVATE KEY-----)");
    }
}
